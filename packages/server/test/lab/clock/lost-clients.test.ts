/** Clients in lock step whose connections break. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { type RunningLab, startLab } from "../checkpoints/running-lab.ts";

const CLIENTS = "/v1/lab/clock/clients";

/** Sends a request whose answer is not read. */
function asked(lab: RunningLab, method: string, path: string, body = ""): Socket {
  const { hostname, port } = new URL(lab.admin);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const head = [`${method} ${path} HTTP/1.1`, "host: localhost", `authorization: Bearer ${lab.adminToken}`];
  socket.write(`${[...head, `content-length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`);
  return socket;
}

const done = (name: string, untilMs: number): string => JSON.stringify({ name, untilMs });

test("a client leaves when its connection breaks, with a word or without, before it is answered", {
  timeout: 30_000,
}, async (t) => {
  const lab = await startLab(t);
  const { nowMs } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  for (const name of ["a", "b", "c", "d"]) await lab.ask("POST", CLIENTS, { name });
  // One waits for its next instant, one holds its registration open; a third leaves properly, like a killed process.
  const broken = asked(lab, "POST", "/v1/lab/clock/done", done("b", nowMs + 200));
  const [line, ended] = [asked(lab, "GET", `${CLIENTS}/c`), asked(lab, "GET", `${CLIENTS}/d`)];
  for (const socket of [broken, line, ended]) await once(socket, "connect");
  const first = lab.ask<{ nowMs: number }>("POST", "/v1/lab/clock/done", { name: "a", untilMs: nowMs + 500 });
  await lab.ask("GET", CLIENTS);
  broken.resetAndDestroy();
  line.destroy();
  assert.deepEqual(await names(lab, 2), ["a", "d"]);
  ended.end();
  assert.equal((await first).nowMs, nowMs + 500, "nobody else wants an earlier moment any more");
  assert.deepEqual(await lab.ask("GET", CLIENTS), ["a"]);
});

test("one that came anew stays, whatever breaks behind it; a life line is answered when its client leaves", {
  timeout: 30_000,
}, async (t) => {
  const lab = await startLab(t);
  await lab.ask("POST", CLIENTS, { name: "bot" });
  const before = lab.ask("GET", `${CLIENTS}/bot`);
  await lab.ask("GET", CLIENTS);
  const old = asked(lab, "POST", "/v1/lab/clock/done", done("bot", 0));
  await once(old, "data");
  await lab.ask("POST", CLIENTS, { name: "bot" });
  assert.deepEqual(await before, { name: "bot" });
  old.destroy();
  await once(old, "close");
  const line = lab.ask("GET", `${CLIENTS}/bot`);
  assert.deepEqual(await lab.ask("GET", CLIENTS), ["bot"]);
  await lab.ask("DELETE", `${CLIENTS}/bot`);
  assert.deepEqual(await line, { name: "bot" });
  await lab.ask("GET", `${CLIENTS}/bot`, undefined, 404);
});

async function names(lab: RunningLab, count: number): Promise<string[]> {
  for (;;) {
    const found = await lab.ask<string[]>("GET", CLIENTS);
    if (found.length <= count) return found;
  }
}
