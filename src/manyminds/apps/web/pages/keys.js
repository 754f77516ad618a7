// The keys of seats: one's own stands behind the # of the address, which browsers send to nobody; those
// of a table that was made here are remembered, to be given to the people who shall sit there.

export const ownKey = () => location.hash.slice(1);

export function remember(table, keys) {
  localStorage.setItem(`keys ${table}`, JSON.stringify(keys));
}

// {seat: key} of a table that was made in this browser.
export function remembered(table) {
  try {
    return JSON.parse(localStorage.getItem(`keys ${table}`)) ?? {};
  } catch {
    return {};
  }
}

export const link = (table, key) => `${location.origin}/table/${table}${key ? `#${key}` : ""}`;
