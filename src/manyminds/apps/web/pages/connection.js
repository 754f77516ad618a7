// The socket to a table: says who we are, comes back when it is lost, and never gives up for good.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

export class Connection {
  // news(message), state("on" | "off" | reason why it was closed for good)
  constructor(path, key, news, state) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.key = key;
    this.news = news;
    this.state = state;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.url);
    this.socket.addEventListener("open", () => {
      this.say("sit", { key: this.key });
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.closing) {
        this.closing = message.closing;
      } else {
        this.wait = FIRST_WAIT;
        this.state("on");
        this.news(message);
      }
    });
    this.socket.addEventListener("close", () => this.lost());
  }

  lost() {
    this.state(this.closing || "off");
    this.closing = "";
    setTimeout(() => this.open(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  say(word, more = {}) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ say: word, ...more }));
      return true;
    }
    return false;
  }
}
