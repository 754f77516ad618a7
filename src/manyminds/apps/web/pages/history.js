// The moves of a game, and the stones after any of them. Every move says what it took, so that no rules
// are needed here: a move is [seat, point or "pass" or "" (a seat that has left), [[point, colour], ...]].

export class History {
  constructor(stones = []) {
    this.opening = new Map(stones);
    this.moves = [];
  }

  // The moves from number `from` on are these.
  take({ from, moves }) {
    this.moves.length = Math.min(this.moves.length, from);
    this.moves.push(...moves);
  }

  get length() {
    return this.moves.length;
  }

  // Stones by point before move `number`, the last point played, and what each seat has taken.
  at(number) {
    const stones = new Map(this.opening);
    const taken = [];
    let last = "";
    for (const [seat, point, gone] of this.moves.slice(0, number)) {
      if (point && point !== "pass") {
        stones.set(point, seat + 1);
        last = point;
      } else if (point) {
        last = "";
      }
      for (const [where] of gone) stones.delete(where);
      taken[seat] = (taken[seat] ?? 0) + gone.length;
    }
    return { stones, last, taken };
  }
}
