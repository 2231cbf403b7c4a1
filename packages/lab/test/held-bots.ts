/** Bots that know nothing of a lab; each is a module's text. */

/** Sends a request every second by fetch, places orders by node:http, listens to a stream, and draws random numbers. */
export const TRADER = `
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID, randomBytes, randomInt } from "node:crypto";
const { REST, STREAM } = process.env;
const say = (...words) => console.log(Date.now(), ...words);
const ask = async (path) => (await (await fetch(REST + path)).json()).nowMs;
const order = (id) => new Promise((done, failed) => {
  request(REST + "/order?id=" + id, { method: "POST" }, (answer) => answer.resume().once("end", done)).once("error", failed).end();
});
const socket = connect(Number(STREAM), "127.0.0.1");
socket.setEncoding("utf8").on("data", (text) => { say("heard", text.trim()); socket.write("thanks " + Date.now()); });
await new Promise((open) => socket.once("connect", open));
let rounds = 0;
const beat = setInterval(() => say("beat", performance.now()), 2500);
say("begins", new Date().toISOString(), randomUUID(), Math.random(), randomBytes(4).toString("hex"), randomInt(1000));
crypto.getRandomValues(new Uint8Array(2));
while (rounds < 10) {
  await sleep(1000);
  const nowMs = await ask("/now?round=" + rounds);
  if (nowMs !== Date.now()) say("WRONG", nowMs);
  if (rounds % 3 === 0) { await order(rounds); say("ordered", rounds); }
  rounds += 1;
}
clearInterval(beat);
socket.destroy();
say("ends");
`;

/**
 * Sends three requests at once, repeatedly: over a connection that is being opened, an existing one, and another new
 * one. Its last request is sent although it exits at the same instant.
 */
export const THREE_AT_ONCE = `
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
const ask = (path, agent) => new Promise((done, failed) => {
  request(process.env.REST + path, { agent }, (answer) => answer.resume().once("end", done)).once("error", failed).end();
});
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
await ask("/hello", kept);
for (let round = 0; round < 5; round++) {
  await sleep(1000);
  await Promise.all([ask("/first", new Agent()), ask("/second", kept), ask("/third", new Agent())]);
}
request(process.env.REST + "/bye", { agent: kept }).end();
setImmediate(() => process.exit(0));
`;
