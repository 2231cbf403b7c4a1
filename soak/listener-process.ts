/**
 * All connections that carry no orders: stream subscribers, busy and quiet, and REST clients that send only occasional
 * requests.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { RawConnection } from "@pricetime/testkit/raw-http";
import { executionTextOf } from "./execution-digest.ts";
import type { ListenerOrder, ListenerReport, SocketPlan, StreamRecord } from "./messages.ts";
import { DigestWriter } from "./records.ts";
import { StreamSocket } from "./stream-socket.ts";

const AT_A_TIME = 50;
/** Below the server's keep-alive timeout of 65 s. */
const IDLE_EVERY_MS = 30_000;
const ANSWER_WITHIN_MS = 60_000;

const report = (what: ListenerReport): void => void process.send?.(what);

interface Subscription {
  readonly plan: SocketPlan;
  readonly sockets: readonly StreamSocket[];
}

const subscriptions: Subscription[] = [];
const writers: DigestWriter[] = [];
const idle: RawConnection[] = [];
const problems: string[] = [];
let timer: NodeJS.Timeout | undefined;

function recorderOf({ kind, file }: StreamRecord): (text: string) => void {
  const writer = new DigestWriter(file);
  writers.push(writer);
  if (kind === "trade") return (text) => writer.write(text);
  return (text) => {
    const execution = executionTextOf(text);
    if (execution !== undefined) writer.write(execution);
  };
}

async function openMany<T>(count: number, open: (at: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count) {
    const some = Array.from({ length: Math.min(AT_A_TIME, count - all.length) }, (_, i) => open(all.length + i));
    all.push(...(await Promise.all(some)));
  }
  return all;
}

async function open(port: number, plans: readonly SocketPlan[], idleCount: number): Promise<void> {
  for (const plan of plans) {
    const onText = plan.record === undefined ? undefined : recorderOf(plan.record);
    const sockets = await openMany(plan.count, (at) =>
      StreamSocket.open(port, plan.path, at === 0 ? onText : undefined),
    );
    subscriptions.push({ plan, sockets });
  }
  const lost = (why: string): void => void problems.push(`an idle connection was lost: ${why}`);
  idle.push(...(await openMany(idleCount, () => RawConnection.open(port, lost))));
  // The server closes a new connection that sends no request (`headersTimeoutMs`), and keeps one that has sent one.
  await Promise.all(idle.map(ask));
  keepIdleOnes();
  report({ type: "opened" });
}

/** One after another, so that requests are evenly spaced. */
function keepIdleOnes(): void {
  if (idle.length === 0) return;
  let next = 0;
  timer = setInterval(() => void ask(idle[next++ % idle.length] as RawConnection), IDLE_EVERY_MS / idle.length);
}

/** False if there is no response. */
async function ask(connection: RawConnection): Promise<boolean> {
  if (connection.isBusy || !connection.isOpen) return false;
  const status = await new Promise<number>((done) =>
    connection.send("GET /api/v3/time HTTP/1.1\r\nHost: soak\r\n\r\n", done),
  );
  if (status !== 200) problems.push(`an idle connection was answered ${status}`);
  return status === 200;
}

async function check(): Promise<void> {
  clearInterval(timer);
  const late = { isLate: false };
  const watch = setTimeout(() => (late.isLate = true), ANSWER_WITHIN_MS);
  let alive = 0;
  const within = async (what: string, answer: Promise<boolean | void>): Promise<void> => {
    const answered = await Promise.race([answer, sleep(ANSWER_WITHIN_MS, "late", { ref: false })]);
    if (answered === "late" || answered === false) problems.push(`${what} does not answer`);
    else alive++;
  };
  const sockets = subscriptions.flatMap((each) => each.sockets);
  for (let at = 0; at < sockets.length; at += AT_A_TIME) {
    await Promise.all(
      sockets.slice(at, at + AT_A_TIME).map(async (socket) => {
        if (socket.lost === undefined) await within(socket.path, socket.alive());
        else problems.push(`${socket.path} was lost: ${socket.lost}`);
      }),
    );
  }
  while (idle.some((connection) => connection.isBusy) && !late.isLate) await sleep(10);
  for (const connection of idle) await within("an idle connection", ask(connection));
  clearTimeout(watch);
  for (const { plan, sockets: same } of subscriptions) compareTwins(plan, same);
  for (const writer of writers) writer.close();
  const messages = sockets.reduce((sum, socket) => sum + socket.messages, 0);
  report({ type: "checked", alive, problems, messages });
}

/** All have answered a ping, so all earlier messages have arrived. */
function compareTwins(plan: SocketPlan, [first, ...others]: readonly StreamSocket[]): void {
  if (plan.record === undefined) return;
  for (const { bytes } of others) {
    if (bytes === first?.bytes) continue;
    problems.push(`${plan.record.of}: one listener was sent ${first?.bytes} bytes and another ${bytes}`);
  }
}

process.on("message", (order: ListenerOrder) => {
  if (order.type === "open") void open(order.port, order.plans, order.idle);
  else void check();
});
process.once("disconnect", () => process.exit());
