// A question to the server by HTTP; a refusal is an error with the server's own sentence.

export async function ask(path, wish) {
  const options = wish ? { method: "POST", body: JSON.stringify(wish) } : {};
  const answer = await fetch(path, options);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.refused ?? "the server refused");
  return found;
}
