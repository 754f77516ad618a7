// A move that was made and has not come back from the server. It is kept until it has, and sent again when
// the connection is back and the game stands as it stood.

export class Pending {
  // say(move, number): whether it was sent.
  constructor(say) {
    this.say = say;
    this.move = "";
  }

  // moves: those before it.
  make(move, moves) {
    Object.assign(this, { move, before: JSON.stringify(moves), number: moves.length });
    return this.say(move, this.number);
  }

  forget() {
    this.move = "";
  }

  // These moves have been made: among them this one, or others in its place.
  heard(moves) {
    if (this.move && moves.length > this.number) this.forget();
  }

  // Whether it still waits after the connection has come back: "" or the move that cannot be made any more.
  again(moves, mine) {
    const move = this.move;
    if (!move) return "";
    const stands = mine && moves.length === this.number && JSON.stringify(moves) === this.before;
    if (stands && this.say(move, this.number)) return "";
    this.forget();
    return move;
  }
}
