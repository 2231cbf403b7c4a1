/**
 * The checkpoints of a lab: named moments that it can be restored to any number of times. Names are the caller's;
 * the start of the lab has none, and can always be restored.
 */
import type { ApiKey, Command, EngineView } from "@pricetime/engine";
import type { KeysThere } from "./storage/lab-storage.ts";
import { createHash } from "node:crypto";
import type { SavedValue } from "../platform/world/port.ts";
import { OPEN_STREAMS } from "../api/streams/port.ts";
import type { HeldLab } from "./port.ts";
import { type PartStates, SavedStateUnreadable } from "../platform/world/saved-state.ts";
import assert from "node:assert/strict";
import type { StorageImage } from "./storage/images.ts";
import { LeftWaysFull } from "./storage/lab-journal.ts";
import { CHECKPOINT_LIMITS, type CheckpointLimits, madeByAnother } from "./checkpoint-file.ts";

// API keys that are newer than the restored checkpoint, as commands that create them again.

interface Restored {
  hasAccount(accountId: number): boolean;
  hasApiKey(apiKey: string): boolean;
  /** Whether the account has a stream open: it has no second one. */
  hasStream(accountId: number): boolean;
}

/** Keys of accounts that the checkpoint does not have are left out: there is nobody whose they would be. */
function laterKeys(there: KeysThere, restored: Restored, by: string): Command[] {
  const apiKeys = there.apiKeys
    .filter(({ accountId, apiKey }) => restored.hasAccount(accountId) && !restored.hasApiKey(apiKey))
    .map((key): Command => ({ type: "createApiKey", by, ...withoutTime(key) }));
  const listenKeys = there.listenKeys
    .filter(({ accountId }) => restored.hasAccount(accountId) && !restored.hasStream(accountId))
    .map(({ accountId, listenKey }): Command => ({ type: "openListenKey", accountId, listenKey }));
  return [...apiKeys, ...listenKeys];
}

/** A key that is given again is a new one: it has the time of its command. */
function withoutTime(key: ApiKey): Omit<ApiKey, "createdMs"> {
  const { accountId, apiKey, sealedSecret, publicKey, permissions, ipAllowList, label } = key;
  const signing = publicKey === undefined ? { sealedSecret } : { sealedSecret, publicKey };
  return { accountId, apiKey, ...signing, permissions, ipAllowList, label };
}

// The hash of everything in a checkpoint: the exchange's state, the journal, and the state of other parts.

/** SHA-256 (hex). `engine`: the bytes of its snapshot. */
export function hashOf(engine: Uint8Array, chainHash: string, states: PartStates): string {
  const ofEngine = createHash("sha256").update(engine).digest("hex");
  return createHash("sha256")
    .update(JSON.stringify([ofEngine, chainHash, inOrder(withoutListeners(states))]))
    .digest("hex");
}

/** The parts whose state differs. */
function differingParts(one: PartStates, other: PartStates): readonly string[] {
  const names = [one, other].flatMap((states) => Object.keys(withoutListeners(states)));
  return [...new Set(names)]
    .sort()
    .filter((name) => JSON.stringify(inOrder(one[name])) !== JSON.stringify(inOrder(other[name])));
}

/** Listeners do not change the exchange, and may be others after a restore, so the hash leaves them out. */
function withoutListeners(states: PartStates): PartStates {
  return Object.fromEntries(Object.entries(states).filter(([name]) => moduleOf(name) !== OPEN_STREAMS));
}

/** The first word of a part's name. */
const moduleOf = (name: string): string => name.split("/", 1)[0] ?? "";

/** The length of the state of each module, as JSON. */
function lengthsOf(states: PartStates): Record<string, number> {
  const lengths: Record<string, number> = {};
  for (const [name, state] of Object.entries(states)) {
    const module = moduleOf(name);
    lengths[module] = (lengths[module] ?? 0) + JSON.stringify(state).length;
  }
  return lengths;
}

/** Sorts the names in every object, so that equal values give equal texts. */
function inOrder(value: SavedValue | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => inOrder(each as SavedValue));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as PartStates).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, inOrder(each)]));
}

/** The name in the journal of who re-issues keys that outlast a restore. */
const KEYS_BY = "lab";

export interface Checkpoint {
  readonly name: string;
  /** The last entry. */
  readonly seq: number;
  readonly nowMs: number;
  /** SHA-256 (hex) of all that it holds. */
  readonly hash: string;
  /** Bytes that the checkpoint takes in memory and on the disk. */
  readonly bytes: number;
}

/** What is inside one. */
export interface CheckpointShown extends Checkpoint {
  readonly accounts: number;
  readonly symbols: readonly string[];
  readonly openOrders: number;
  /** The version of the program that made it. */
  readonly version: string;
  /** The modules with state beside the journal, with its length as JSON. */
  readonly rooms: Readonly<Record<string, number>>;
}

/** A checkpoint as the lab holds it. */
export interface Held {
  readonly shown: CheckpointShown;
  readonly image: StorageImage;
  readonly states: PartStates;
  /** It came in a file: the state of parts may be anything. */
  readonly isForeign: boolean;
}

/** `code` is a word for programs, the message a sentence. */
export class CheckpointRefused extends Error {
  override readonly name = "CheckpointRefused";
  readonly code: "ALREADY_EXISTS" | "CHECKPOINT_UNFIT" | "CHECKPOINTS_FULL" | "TOO_MANY" | "UNKNOWN_CHECKPOINT";

  constructor(code: CheckpointRefused["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface RestoreOptions {
  /** Keys that were made since stay valid; the journal says so. */
  readonly keepKeys?: boolean | undefined;
  /** Streams and sessions stay open, and go on as the checkpoint has them. */
  readonly keepConnections?: boolean | undefined;
}

/** Options of a restore. */
interface How {
  readonly keepsConnections: boolean;
  /** The keys that stay valid. */
  readonly there: KeysThere | undefined;
}

export class Checkpoints {
  readonly #lab: HeldLab;
  readonly #limits: CheckpointLimits;
  readonly #held = new Map<string, Held>();
  #start: Held | undefined;

  constructor(lab: HeldLab, limits: Partial<CheckpointLimits> = {}) {
    this.#lab = lab;
    this.#limits = { ...CHECKPOINT_LIMITS, ...limits };
  }

  list(): readonly Checkpoint[] {
    return [...this.#held.values()].map(told);
  }

  /** Throws `CheckpointRefused`. */
  show(name: string): CheckpointShown {
    return this.find(name).shown;
  }

  /** Throws `CheckpointRefused`. */
  find(name: string): Held {
    const held = this.#held.get(name);
    if (held === undefined) throw new CheckpointRefused("UNKNOWN_CHECKPOINT", `There is no checkpoint ${name}.`);
    return held;
  }

  /** Makes this moment the one to which a reset goes back. Called when the lab has started, and again by its user. */
  takeStart(): Promise<Checkpoint> {
    return this.#lab.alone(async () => {
      const before = this.#start;
      this.#start = this.#capture("");
      if (before !== undefined) this.#lab.storage.drop(before.image);
      return told(this.#start);
    });
  }

  /** Rejects with `CheckpointRefused`, and with errors of the disk; then there is none. */
  take(name: string, { replace = false }: { readonly replace?: boolean | undefined } = {}): Promise<Checkpoint> {
    return this.#lab.alone(async () => {
      this.checkName(name, replace);
      const taken = this.add(this.#capture(name));
      this.#lab.wasTaken();
      return taken;
    });
  }

  /** Takes one in. Throws `CheckpointRefused`; its image is then dropped. */
  add(held: Held): Checkpoint {
    const { shown } = held;
    const { bytes: most } = this.#limits;
    const others = [...this.#held.values()].filter(({ shown: { name } }) => name !== shown.name);
    const bytes = others.reduce((sum, other) => sum + other.shown.bytes, shown.bytes);
    if (bytes > most) {
      this.#lab.storage.drop(held.image);
      throw new CheckpointRefused(
        "CHECKPOINTS_FULL",
        `Checkpoints would take ${bytes} bytes; the limit is ${most}. Delete one first.`,
      );
    }
    const before = this.#held.get(shown.name);
    if (before !== undefined) this.#lab.storage.drop(before.image);
    this.#held.set(shown.name, held);
    return told(held);
  }

  /** Throws `CheckpointRefused`. */
  delete(name: string): void {
    this.#lab.storage.drop(this.find(name).image);
    this.#held.delete(name);
  }

  /** Resolves when all is as it was. Rejects with `CheckpointRefused`; then nothing has changed. */
  restore(name: string, options: RestoreOptions = {}): Promise<Checkpoint> {
    return this.#lab.alone(() => this.#goTo(this.find(name), options));
  }

  /** Goes back to the start of the lab. */
  reset(options: RestoreOptions = {}): Promise<Checkpoint> {
    return this.#lab.alone(() => {
      assert(this.#start !== undefined, "a lab that has started has a start");
      return this.#goTo(this.#start, options);
    });
  }

  /** Whether there is room for one of that name. Throws `CheckpointRefused`. */
  checkName(name: string, replace = false): void {
    const isThere = this.#held.has(name);
    if (isThere && !replace) {
      throw new CheckpointRefused("ALREADY_EXISTS", `Checkpoint ${name} already exists; \`replace\` overwrites it.`);
    }
    if (!isThere && this.#held.size >= this.#limits.checkpoints) {
      throw new CheckpointRefused(
        "TOO_MANY",
        `There can be at most ${this.#limits.checkpoints} checkpoints: delete one first.`,
      );
    }
  }

  #capture(name: string): Held {
    const states = this.#lab.states();
    const image = this.#lab.storage.capture();
    return { shown: this.#shown(name, image, states, this.#lab.version), image, states, isForeign: false };
  }

  #shown(name: string, image: StorageImage, states: PartStates, version: string): CheckpointShown {
    const { head, engine, bytes, facts } = image;
    const hash = hashOf(engine, head.chainHash, states);
    const rooms = lengthsOf(states);
    const inMemory = Object.values(rooms).reduce((sum, length) => sum + length, bytes);
    const { accounts, symbols, openOrders } = facts;
    const at = { seq: head.lastSeq, nowMs: nowMsOf(states, head.lastTimeMs), hash, bytes: inMemory };
    return { name, ...at, accounts, symbols, openOrders, version, rooms };
  }

  /** A checkpoint from a file. `isForeign` says that no parts have been made of it yet. */
  foreign(name: string, image: StorageImage, states: PartStates, version: string): Held {
    return { shown: this.#shown(name, image, states, version), image, states, isForeign: true };
  }

  async #goTo(held: Held, { keepKeys = false, keepConnections = false }: RestoreOptions): Promise<Checkpoint> {
    const there = keepKeys ? this.#lab.storage.keysOf() : undefined;
    const how = { keepsConnections: keepConnections, there };
    if (held.isForeign) await this.#goToForeign(held, how);
    else await this.#rebuild(held, how);
    this.#lab.wasTaken();
    return told(held);
  }

  /** A file's contents may not fit the parts; then the lab goes back to where it was. */
  async #goToForeign(held: Held, how: How): Promise<void> {
    const before = this.#capture("");
    try {
      await this.#rebuild(held, how);
    } catch (error) {
      if (!(error instanceof SavedStateUnreadable)) throw error;
      await this.#rebuild(before, { ...how, there: undefined });
      throw this.#unfit(held, error.message);
    } finally {
      this.#lab.storage.drop(before.image);
    }
  }

  #unfit({ shown: { version } }: Held, why: string): CheckpointRefused {
    const told = `It does not fit this lab, which is unchanged: ${why}.${madeByAnother(version, this.#lab.version)}`;
    return new CheckpointRefused("CHECKPOINT_UNFIT", told);
  }

  async #rebuild(held: Held, { keepsConnections, there }: How): Promise<void> {
    const { storage } = this.#lab;
    const { image, states, isForeign } = held;
    try {
      storage.journal.checkCanGoTo(image.mark);
    } catch (error) {
      if (!(error instanceof LeftWaysFull)) throw error;
      throw new CheckpointRefused("CHECKPOINTS_FULL", `${error.message}: delete one that you do not need.`);
    }
    await this.#lab.rebuild({
      bringBack: () => storage.goTo(image),
      states,
      isForeign,
      keepsConnections,
      onRebuilt: async () => {
        this.#checkIsBack(held);
        if (there !== undefined) await this.#giveKeys(there);
      },
    });
  }

  /** All is as it was when the checkpoint was taken, or the file does not fit, or the lab has a bug of ours. */
  #checkIsBack({ shown: { hash }, states, isForeign }: Held): void {
    const { recovery, journal } = this.#lab.storage;
    const now = this.#lab.states();
    if (hashOf(recovery.engine.snapshot(), journal.headNow.chainHash, now) === hash) return;
    const parts = differingParts(states, now);
    const state = "the restored state differs";
    const why = parts.length === 0 ? state : `the restored state of these modules differs: ${parts.join(", ")}`;
    if (isForeign) throw new SavedStateUnreadable(why);
    assert.fail(why);
  }

  async #giveKeys(there: KeysThere): Promise<void> {
    const view: EngineView = this.#lab.view();
    const now = this.#lab.storage.keysOf();
    const restored = {
      hasAccount: (accountId: number): boolean => view.account(accountId) !== undefined,
      hasApiKey: (apiKey: string): boolean => view.apiKey(apiKey) !== undefined,
      hasStream: (accountId: number): boolean => now.listenKeys.some((key) => key.accountId === accountId),
    };
    for (const command of laterKeys(there, restored, KEYS_BY)) await this.#lab.run(command);
  }
}

const told = ({ shown: { name, seq, nowMs, hash, bytes } }: Held): Checkpoint => ({ name, seq, nowMs, hash, bytes });

/** The time of the lab's clock; without one that of the last entry. */
function nowMsOf({ clock }: PartStates, lastTimeMs: number): number {
  const state = clock as { readonly nowMs?: unknown } | undefined | null;
  return typeof state?.nowMs === "number" ? state.nowMs : lastTimeMs;
}
