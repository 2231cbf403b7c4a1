/** From publishers to subscribers: once, in order, and only to current subscribers. */
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "node:test";
import { Hub } from "../../../src/api/streams/hub.ts";
import type { Subscriber } from "../../../src/api/streams/hub.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

class Listener implements Subscriber {
  readonly isCombined: boolean;
  readonly pieces: Buffer[] = [];
  readonly ended: string[] = [];
  messages = 0;
  held = 0;

  constructor(isCombined = false) {
    this.isCombined = isCombined;
  }
  /** Short frames only: two bytes of header. */
  get texts(): string[] {
    const texts: string[] = [];
    for (const piece of this.pieces) {
      for (let at = 0; at < piece.length; at += 2 + (piece[at + 1] as number)) {
        texts.push(piece.toString("utf8", at + 2, at + 2 + (piece[at + 1] as number)));
      }
    }
    return texts;
  }
  deliver(frames: Buffer, messages: number): void {
    this.pieces.push(frames);
    this.messages += messages;
  }
  hold(): boolean {
    return this.held++ === 0;
  }
  release(): void {
    this.held = 0;
  }
  streamEnded(name: string, reason: string): void {
    this.ended.push(`${name}: ${reason}`);
  }
}

test("a message is encoded once, however many subscribers there are", async () => {
  const hub = new Hub(new SendQueue());
  const raw = Array.from({ length: 50 }, () => new Listener());
  const combined = Array.from({ length: 50 }, () => new Listener(true));
  for (const listener of [...raw, ...combined]) hub.subscribe("a", listener);
  hub.publish("a", '{"n":1}');
  hub.publish("a", '{"n":2}');
  assert.deepEqual(raw[0]?.pieces, [], "nothing leaves within the turn");
  await turn();
  assert.deepEqual(raw[0]?.texts, ['{"n":1}', '{"n":2}']);
  assert.deepEqual(combined[0]?.texts, ['{"stream":"a","data":{"n":1}}', '{"stream":"a","data":{"n":2}}']);
  assert.ok(raw.every((listener) => listener.pieces[0] === raw[0]?.pieces[0] && listener.messages === 2));
  assert.ok(combined.every((listener) => listener.pieces[0] === combined[0]?.pieces[0]));
});

test("several streams of a turn are sent to a subscriber together", async () => {
  const hub = new Hub(new SendQueue());
  const both = new Listener();
  const one = new Listener();
  hub.subscribe("a", both);
  hub.subscribe("b", both);
  hub.subscribe("b", one);
  hub.publish("b", "1");
  hub.publish("a", "2");
  hub.publish("b", "3");
  await turn();
  assert.deepEqual(both.texts, ["1", "3", "2"]);
  assert.deepEqual(one.texts, ["1", "3"]);
  assert.equal(both.held, 0, "released");
});

test("a subscriber gets what is published while it is subscribed", async () => {
  const hub = new Hub(new SendQueue());
  const [first, second] = [new Listener(), new Listener()];
  hub.subscribe("a", first);
  hub.publish("a", "1");
  await turn();
  hub.subscribe("a", second);
  hub.publish("a", "2");
  await turn();
  hub.unsubscribe("a", first);
  hub.publish("a", "3");
  hub.publish("nobody's", "4");
  await turn();
  assert.deepEqual(
    [first.texts, second.texts],
    [
      ["1", "2"],
      ["2", "3"],
    ],
  );
});

test("audiences are notified of the first and the last subscriber", () => {
  const hub = new Hub(new SendQueue());
  const told: string[] = [];
  hub.watchInstead([{ opened: (name) => told.push(`opened ${name}`), closed: (name) => told.push(`closed ${name}`) }]);
  const [first, second] = [new Listener(), new Listener()];
  hub.subscribe("a", first);
  hub.subscribe("a", second);
  hub.subscribe("a", second);
  assert.equal(hub.hasSubscribers("a"), true);
  hub.unsubscribe("a", first);
  hub.unsubscribe("a", first);
  hub.unsubscribe("a", second);
  assert.equal(hub.hasSubscribers("a"), false);
  hub.subscribe("a", first);
  hub.end("a", "over");
  hub.end("a", "over");
  assert.deepEqual(told, ["opened a", "closed a", "opened a", "closed a"]);
});

test("the end of a stream comes after its messages", async () => {
  const hub = new Hub(new SendQueue());
  const listener = new Listener();
  hub.subscribe("a", listener);
  hub.publish("a", "last words");
  hub.end("a", "over");
  assert.deepEqual([listener.texts, listener.ended], [["last words"], ["a: over"]]);
  hub.publish("a", "too late");
  await turn();
  assert.deepEqual(listener.texts, ["last words"]);
});
