// The socket of a project. It comes back by itself; whoever asks while it is away is told so at once.

import { delay } from "../judge/outbox.js";

const PATIENCE = 10_000; // ms until an answer counts as lost

export class ProjectSocket {
  constructor(address, { open = (to) => new WebSocket(to), hear, onOpen, onClose }) {
    Object.assign(this, { address, open, hear, onOpen, onClose });
    this.calls = new Map();
    this.number = 0;
    this.attempt = 0;
    this.socket = null;
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket) return;
    const socket = this.open(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.attempt = 0;
      this.onOpen?.();
    });
    socket.addEventListener("message", (event) => this.#take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      this.socket = null;
      for (const { reject, timer } of this.calls.values()) {
        clearTimeout(timer);
        reject(new Error("closed"));
      }
      this.calls.clear();
      this.onClose?.(event.code);
      // Who is not let in is not let in again a second later.
      if (event.code < 4400) this.timer = setTimeout(() => this.connect(), delay((this.attempt += 1)));
    });
  }

  get isOpen() {
    return this.socket?.readyState === 1;
  }

  /** The data of the answer to a call; it is rejected with what is wrong, or if the socket is away. */
  call(name, data = {}) {
    if (!this.isOpen) return Promise.reject(new Error("closed"));
    const id = (this.number += 1);
    this.socket.send(JSON.stringify({ id, name, data }));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.calls.delete(id) && reject(new Error("late")), PATIENCE);
      this.calls.set(id, { resolve, reject, timer });
    });
  }

  #take(message) {
    const call = this.calls.get(message.id);
    if (!call) {
      if (message.id === undefined) this.hear?.(message.name, message.data);
      return;
    }
    this.calls.delete(message.id);
    clearTimeout(call.timer);
    if (message.errors.length) call.reject(new Error(message.errors[0]));
    else call.resolve(message.data);
  }
}
