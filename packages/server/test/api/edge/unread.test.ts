/** Unread bytes of clients: counted by address, bounded, and limited in time. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { Unread, type UnreadSocket } from "../../../src/api/edge/unread.ts";

class FakeSocket extends EventEmitter {
  bytesWritten = 0;
  writableLength = 0;
  isDropped = false;

  write(bytes: number): void {
    this.bytesWritten += bytes;
    this.writableLength += bytes;
  }

  read(bytes: number): void {
    this.writableLength -= bytes;
  }
}

const LIMITS = { maxSendBufferBytesPerIp: 1000, maxUnreadBytes: 2500, maxChecks: 3 };

function writeTo(unread: Unread, socket: FakeSocket, ip: string, bytes: number): FakeSocket {
  socket.write(bytes);
  unread.note(socket as unknown as UnreadSocket, ip, () => {
    socket.isDropped = true;
    socket.writableLength = 0;
    socket.emit("close");
  });
  return socket;
}

test("an address above its limit loses the connection that has waited longest; others lose none", () => {
  const unread = new Unread(LIMITS);
  const other = writeTo(unread, new FakeSocket(), "2.2.2.2", 900);
  const read = writeTo(unread, new FakeSocket(), "1.1.1.1", 400);
  const old = writeTo(unread, new FakeSocket(), "1.1.1.1", 400);
  read.read(400);
  const young = writeTo(unread, new FakeSocket(), "1.1.1.1", 500);
  assert.deepEqual(
    [read, old, young].map(({ isDropped }) => isDropped),
    [false, false, false],
    "what was read counted",
  );
  writeTo(unread, young, "1.1.1.1", 200);
  assert.deepEqual(
    [read, old, young, other].map(({ isDropped }) => isDropped),
    [false, true, false, false],
  );
  assert.deepEqual([unread.dropped, unread.bytes], [1, 1600]);
});

test("an older connection that is read is not closed because of another one that is not", () => {
  const unread = new Unread(LIMITS);
  const reads = writeTo(unread, new FakeSocket(), "1.1.1.1", 100);
  const stuck = writeTo(unread, new FakeSocket(), "1.1.1.1", 800);
  for (let round = 0; round < 5; round++) {
    reads.read(100);
    writeTo(unread, reads, "1.1.1.1", 100);
  }
  writeTo(unread, stuck, "1.1.1.1", 150);
  assert.deepEqual([reads.isDropped, stuck.isDropped], [false, true]);
});

test("an IPv6 /64 is one address", () => {
  const unread = new Unread(LIMITS);
  const old = writeTo(unread, new FakeSocket(), "2001:db8::1", 600);
  const young = writeTo(unread, new FakeSocket(), "2001:db8::2", 600);
  const other = writeTo(unread, new FakeSocket(), "2001:db8:0:1::2", 600);
  assert.deepEqual(
    [old, young, other].map(({ isDropped }) => isDropped),
    [true, false, false],
  );
});

test("above the total limit, the address with the most bytes loses a connection", () => {
  const unread = new Unread(LIMITS);
  const sockets = [900, 700, 800].map((bytes, n) => writeTo(unread, new FakeSocket(), `1.1.1.${n}`, bytes));
  assert.equal(unread.bytes, 2400);
  writeTo(unread, new FakeSocket(), "2.2.2.2", 200);
  assert.deepEqual(
    sockets.map(({ isDropped }) => isDropped),
    [true, false, false],
  );
  assert.equal(unread.bytes, 1700);
});

test("each byte must be read within the limit of checks; slow reading does not help, and a client that keeps up may always have some unread", () => {
  const unread = new Unread(LIMITS);
  const never = writeTo(unread, new FakeSocket(), "1.1.1.1", 500);
  const drops = writeTo(unread, new FakeSocket(), "1.1.1.2", 500);
  const slow = writeTo(unread, new FakeSocket(), "1.1.1.3", 500);
  const done = writeTo(unread, new FakeSocket(), "1.1.1.4", 500);
  done.read(500);
  for (let look = 0; look < 30; look++) {
    unread.check();
    if (!drops.isDropped) drops.read(1);
    slow.read(250);
    writeTo(unread, slow, "1.1.1.3", 250);
  }
  assert.deepEqual(
    [never, drops, slow, done].map(({ isDropped }) => isDropped),
    [true, true, false, false],
  );
  assert.equal(unread.bytes, 500);
});

test("nothing is retained of closed connections", () => {
  const unread = new Unread(LIMITS);
  const socket = writeTo(unread, new FakeSocket(), "1.1.1.1", 500);
  socket.emit("close");
  assert.equal(unread.bytes, 0);
  unread.forget(writeTo(unread, new FakeSocket(), "1.1.1.1", 500) as unknown as UnreadSocket);
  assert.equal(unread.bytes, 0);
  unread.check();
  assert.equal(unread.dropped, 0);
});
