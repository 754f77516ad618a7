// Elements without markup: text from people is set as text, and can be nothing else.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

// Put these children into an element; the focus stays on the control of the same id, if there is one.
export function show(element, ...children) {
  const id = element.contains(document.activeElement) ? document.activeElement.id : "";
  element.replaceChildren(...children.filter((child) => child));
  if (id) byId(id)?.focus();
}

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
