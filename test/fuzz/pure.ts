/** Readers of untrusted bytes, called as they are. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  decodeCommands,
  decimalsNeeded,
  encodeCommands,
  Engine,
  formatDecimal,
  MalformedBytes,
  parseDecimal,
} from "@pricetime/engine";
import { ENDPOINTS, isApiError, MAX_PARAMETERS, parseRequest, weightOf } from "@pricetime/protocol";
import { SAMPLES } from "@pricetime/testkit/samples";
import {
  beginFrame,
  CheckpointFileUnreadable,
  ConfigError,
  endFrame,
  loadConfig,
  readCheckpointFile,
  readControl,
  readFrame,
  readFrames,
  rowFrame,
  StreamBroken,
  writeCheckpointFile,
} from "@pricetime/server/readers";
import { chainOn, EMPTY_HEAD, headAfter } from "@pricetime/server/data-folder";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { HOSTILE, latin1, mutated, oneIn, pick, randomBytes, type Target } from "./target.ts";

/** One execution may take this much memory; inputs are a few kilobytes. */
const MOST_GROWN_BYTES = 256 << 20;
/** Before the header of a checkpoint's file; it ends with the header's length. */
const CHECKPOINT_FRONT_BYTES = 16;
const NOTHING = (): void => {};

function pairs(random: Dice, names: readonly string[]): string {
  return Array.from({ length: random.between(0, oneIn(random, 20) ? 200 : 12) }, () => {
    const name = oneIn(random, 6) ? pick(random, HOSTILE) : pick(random, names);
    const value = pick(random, HOSTILE);
    return pick(random, [
      `${name}=${value}`,
      `${encodeURIComponent(name.toWellFormed())}=${value}`,
      name,
      `=${value}`,
      "",
    ]);
  }).join(pick(random, ["&", "&", "&", "&&", ";", "?"]));
}

const parser: Target = {
  name: "parameters",
  inCi: 20_000,
  open: () => ({
    once: (random) => {
      const endpoint = pick(random, ENDPOINTS);
      const names = [...endpoint.parameters.map(({ name }) => name), "signature", "timestamp", "recvWindow"];
      const part = (): string => {
        const text = latin1(pairs(random, names));
        return oneIn(random, 3) ? mutated(random, Buffer.from(text, "latin1")).toString("latin1") : text;
      };
      const [query, body] = [part(), part()];
      const told = JSON.stringify({ endpoint: endpoint.id, query, body });
      const parsed = parseRequest(endpoint, query, body);
      const weight = weightOf(endpoint, query, body);
      assert.ok(Number.isSafeInteger(weight) && weight > 0, `weight ${weight} of ${told}`);
      if (isApiError(parsed)) {
        assert.ok(parsed.code < 0 && parsed.msg !== "" && parsed.status >= 400, told);
        return;
      }
      assert.ok(parsed.values.size <= MAX_PARAMETERS, told);
      assert.ok(parsed.payload.length <= query.length + body.length, told);
      assert.ok(Number.isFinite(parsed.timestampMs) && Number.isFinite(parsed.recvWindowMs), told);
    },
    finish: NOTHING,
  }),
};

const PLAIN_DECIMAL = /^[0-9]{1,20}(?:\.[0-9]{1,20})?$/;

const decimals: Target = {
  name: "decimals",
  inCi: 50_000,
  open: () => ({
    once: (random) => {
      const digits = (): string => Array.from({ length: random.between(0, 22) }, () => random.between(0, 9)).join("");
      const text = oneIn(random, 3)
        ? pick(random, HOSTILE)
        : pick(random, [`${digits()}.${digits()}`, digits(), `${digits()}.`]);
      const places = random.between(0, 8);
      const needed = decimalsNeeded(text);
      const units = parseDecimal(text, places);
      const isPlain = PLAIN_DECIMAL.test(text);
      assert.equal(needed !== null, isPlain, `${text} is read as a decimal`);
      const [whole = "", part = ""] = text.split(".");
      // Zeros at the end are no precision.
      const fits = isPlain && /^0*$/.test(part.slice(places));
      assert.equal(units !== null, fits, `${text} in ${places} places`);
      if (units === null) return;
      assert.equal(units, BigInt(whole + part.padEnd(places, "0").slice(0, places)), text);
      assert.equal(parseDecimal(formatDecimal(units, places, places), places), units, text);
    },
    finish: NOTHING,
  }),
};

const SAMPLE_BATCHES = Object.values(SAMPLES).map((commands) => ({
  bytes: encodeCommands(commands),
  count: commands.length,
}));

/** Runs it, lets only the one kind of error through, and watches what memory it takes. */
function readOrMalformed(told: string, read: () => void): void {
  const before = process.memoryUsage.rss();
  try {
    read();
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw new Error(`${told}: ${(error as Error).stack}`, { cause: error });
  }
  const grown = process.memoryUsage.rss() - before;
  assert.ok(grown < MOST_GROWN_BYTES, `${grown} bytes for ${told}`);
}

const codec: Target = {
  name: "commands",
  inCi: 10_000,
  open: () => ({
    once: (random) => {
      const sample = pick(random, SAMPLE_BATCHES);
      const bytes = oneIn(random, 5) ? randomBytes(random, 200) : mutated(random, sample.bytes);
      const count = oneIn(random, 5) ? random.between(0, 1_000_000) : sample.count;
      readOrMalformed(`${count} commands of ${bytes.toString("hex")}`, () => decodeCommands(bytes, count));
    },
    finish: NOTHING,
  }),
};

const snapshots: Target = {
  name: "snapshots",
  inCi: 400,
  open: () => {
    const engine = new Engine();
    batchesOf(7, randomFlow(7, 60), engine);
    const whole = engine.snapshot();
    return {
      once: (random) => {
        const bytes = oneIn(random, 10) ? randomBytes(random, 500) : mutated(random, whole);
        readOrMalformed(`snapshot ${bytes.toString("base64").slice(0, 3_000)}`, () => Engine.restore(bytes));
      },
      finish: () => assert.equal(Engine.restore(whole).eventDigest(), engine.eventDigest()),
    };
  },
};

const FRAMES = [
  '{"id":"a1","method":"order.place","params":{"symbol":"BTCUSDT","price":"1.10","quantity":1e-3,"timestamp":1}}',
  '{"id":18446744073709551615,"method":"SUBSCRIBE","params":["btcusdt@depth@100ms","!ticker@arr"]}',
  '{"method":"SET_PROPERTY","params":["combined",true],"id":5}',
  '{"id":null,"method":"session.logon","params":{"apiKey":"k","signature":"s","list":[1,{"a":[]}]}}',
];

const frames: Target = {
  name: "frames",
  inCi: 20_000,
  open: () => ({
    once: (random) => {
      const deep = random.between(1, 3_000);
      const text = oneIn(random, 30)
        ? pick(random, ["[", '{"id":', '{"params":', '{"params":['] as const).repeat(deep)
        : mutated(random, Buffer.from(pick(random, FRAMES))).toString("utf8");
      const frame = readFrame(text);
      JSON.parse(frame.id);
      const control = readControl(text);
      JSON.parse("error" in control ? control.error : control.id);
      if ("error" in frame) assert.ok(frame.error.code < 0);
      else assert.ok([...frame.payload].every((character) => character.charCodeAt(0) < 256));
    },
    finish: NOTHING,
  }),
};

const config: Target = {
  name: "settings",
  inCi: 300,
  open: () => {
    const folder = temporaryFolder();
    const path = join(folder, "pricetime.yaml");
    const whole = readFileSync(join(ROOT, "docs/operate/config.example.yaml"))
      .toString()
      .replace(/^\s*#.*\n/gm, "");
    return {
      once: (random) => {
        const text = mutated(random, Buffer.from(whole));
        writeFileSync(path, text);
        try {
          loadConfig({ flags: { config: path } });
        } catch (error) {
          assert.ok(error instanceof ConfigError, `${(error as Error).stack}\nof ${text.toString()}`);
          assert.doesNotMatch(error.message, /\n/, "more than one line");
        }
      },
      finish: () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

/** Rows of a journal as another node sends them. */
const rows: Target = {
  name: "rows",
  inCi: 5_000,
  open: () => {
    const batches = batchesOf(7, randomFlow(7, 30)).map((batch) => ({ ...batch, chainHash: "ab".repeat(32) }));
    const head = { lastSeq: 9, lastTimeMs: 1, chainHash: "ab".repeat(32) };
    const place = { epoch: "e".repeat(16), number: 9, revision: 12, seq: 9 };
    const begin = beginFrame({ head, place, arePaymentsHeld: false });
    const whole = Buffer.concat([begin, ...batches.map(rowFrame), endFrame()]);
    const read = async (bytes: Buffer): Promise<number> => {
      let count = 0;
      for await (const frame of readFrames(oneAfterAnother([bytes]))) count += frame.kind === "row" ? 1 : 0;
      return count;
    };
    return {
      once: async (random) => {
        const bytes = oneIn(random, 10) ? randomBytes(random, 500) : mutated(random, whole);
        try {
          await read(bytes);
        } catch (error) {
          if (error instanceof StreamBroken) return;
          throw new Error(`rows ${bytes.toString("base64")}: ${(error as Error).stack}`, { cause: error });
        }
      },
      finish: async () => assert.equal(await read(whole), batches.length),
    };
  },
};

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function* oneAfterAnother(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** The file of a lab's checkpoint; half of those that are spoilt say that they are whole. */
const checkpoints: Target = {
  name: "checkpoints",
  inCi: 3_000,
  open: () => {
    let head = EMPTY_HEAD;
    const chained = batchesOf(7, randomFlow(7, 30)).map((batch) => {
      const row = chainOn(head, batch);
      head = headAfter(row);
      return row;
    });
    const told = { version: "1.2.3", seq: head.lastSeq, chainHash: head.chainHash, hash: "ab".repeat(32) };
    const states = { clock: { mode: "manual", nowMs: 5 }, dice: 17, list: [1, null, "x", { a: [] }] };
    const made = whole(writeCheckpointFile(told, states, chained));
    const spoilt = (random: Dice, file: Buffer): Buffer => {
      if (oneIn(random, 4)) return mutated(random, file);
      const bodyAt = CHECKPOINT_FRONT_BYTES + file.readUInt32BE(CHECKPOINT_FRONT_BYTES - 4);
      const header = file.subarray(CHECKPOINT_FRONT_BYTES, bodyAt);
      const body = gunzipSync(file.subarray(bodyAt, file.length - 32));
      const [front, rest] = oneIn(random, 3) ? [mutated(random, header), body] : [header, mutated(random, body)];
      const start = Buffer.from(file.subarray(0, CHECKPOINT_FRONT_BYTES));
      start.writeUInt32BE(front.length, CHECKPOINT_FRONT_BYTES - 4);
      const all = Buffer.concat([start, front, gzipSync(rest, { level: 1 })]);
      return Buffer.concat([all, createHash("sha256").update(all).digest()]);
    };
    return {
      once: async (random) => {
        const bytes = spoilt(random, await made);
        try {
          readCheckpointFile(bytes);
        } catch (error) {
          if (error instanceof CheckpointFileUnreadable) return;
          throw new Error(`checkpoint ${bytes.toString("base64")}: ${(error as Error).stack}`, { cause: error });
        }
      },
      finish: async () => {
        const { rows: read, states: readStates } = readCheckpointFile(await made);
        assert.equal(read.length, chained.length);
        assert.deepEqual(readStates, states);
      },
    };
  },
};

export const PURE: readonly Target[] = [parser, decimals, codec, snapshots, frames, rows, checkpoints, config];
