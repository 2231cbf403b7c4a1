/**
 * The checkpoints of a lab: named states that can be restored any number of times. Users choose the names. The initial
 * state of the lab has no name and can always be restored.
 */
import { Rejection } from "../people/http/answer.ts";
import type { ApiKey, Command, EngineView } from "@pricetime/engine";
import type { CurrentKeys } from "./storage/lab-storage.ts";
import { createHash } from "node:crypto";
import type { SavedValue } from "../platform/world/port.ts";
import { OPEN_STREAMS } from "../api/streams/port.ts";
import type { HeldLab } from "./port.ts";
import { type PartStates, SavedStateUnreadable } from "../platform/world/saved-state.ts";
import assert from "node:assert/strict";
import type { StorageImage } from "./storage/images.ts";
import { LeftWaysFull } from "./storage/lab-journal.ts";
import { CHECKPOINT_LIMITS, type CheckpointLimits, madeByAnother } from "./checkpoint-file.ts";

// The accounts and keys in the restored state, which determine the newer API keys and listen keys to create again.

interface Restored {
  hasAccount(accountId: number): boolean;
  hasApiKey(apiKey: string): boolean;
  /** Whether the account already has a listen key; an account has at most one. */
  hasStream(accountId: number): boolean;
}

/**
 * Returns commands that create the newer keys again. Keys of accounts that do not exist in the checkpoint are omitted.
 */
function laterKeys(there: CurrentKeys, restored: Restored, by: string): Command[] {
  const apiKeys = there.apiKeys
    .filter(({ accountId, apiKey }) => restored.hasAccount(accountId) && !restored.hasApiKey(apiKey))
    .map((key): Command => ({ type: "createApiKey", by, ...withoutTime(key) }));
  const listenKeys = there.listenKeys
    .filter(({ accountId }) => restored.hasAccount(accountId) && !restored.hasStream(accountId))
    .map(({ accountId, listenKey }): Command => ({ type: "openListenKey", accountId, listenKey }));
  return [...apiKeys, ...listenKeys];
}

/** Omits the time of creation, because a key that is created again gets the time of its command. */
function withoutTime(key: ApiKey): Omit<ApiKey, "createdMs"> {
  const { accountId, apiKey, sealedSecret, publicKey, permissions, ipAllowList, label } = key;
  const signing = publicKey === undefined ? { sealedSecret } : { sealedSecret, publicKey };
  return { accountId, apiKey, ...signing, permissions, ipAllowList, label };
}

/**
 * The SHA-256 hash (hex) of a checkpoint's complete contents: the exchange's state, the journal, and the saved state of
 * modules. `engine`: the bytes of the engine's snapshot.
 */
export function hashOf(engine: Uint8Array, chainHash: string, states: PartStates): string {
  const ofEngine = createHash("sha256").update(engine).digest("hex");
  return createHash("sha256")
    .update(JSON.stringify([ofEngine, chainHash, inOrder(withoutListeners(states))]))
    .digest("hex");
}

/** Returns the names of modules whose state differs. */
function differingParts(one: PartStates, other: PartStates): readonly string[] {
  const names = [one, other].flatMap((states) => Object.keys(withoutListeners(states)));
  return [...new Set(names)]
    .sort()
    .filter((name) => JSON.stringify(inOrder(one[name])) !== JSON.stringify(inOrder(other[name])));
}

/**
 * Returns the state without open streams. They do not affect the exchange and may differ after a restore, so the hash
 * excludes them.
 */
function withoutListeners(states: PartStates): PartStates {
  return Object.fromEntries(Object.entries(states).filter(([name]) => moduleOf(name) !== OPEN_STREAMS));
}

/** The module that saved a state: the first part of the state's name. */
const moduleOf = (name: string): string => name.split("/", 1)[0] ?? "";

/** Returns the size of each module's state as JSON, in characters. */
function lengthsOf(states: PartStates): Record<string, number> {
  const lengths: Record<string, number> = {};
  for (const [name, state] of Object.entries(states)) {
    const module = moduleOf(name);
    lengths[module] = (lengths[module] ?? 0) + JSON.stringify(state).length;
  }
  return lengths;
}

/** Sorts the keys of every object, so that equal values give equal JSON texts. */
function inOrder(value: SavedValue | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => inOrder(each as SavedValue));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as PartStates).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, inOrder(each)]));
}

/** The author in the journal of commands that create keys again after a restore. */
const KEYS_BY = "lab";

export interface Checkpoint {
  readonly name: string;
  /** The number of the last journal entry. */
  readonly seq: number;
  readonly nowMs: number;
  /** The SHA-256 hash (hex) of the complete contents. */
  readonly hash: string;
  /** The size in memory and on disk. */
  readonly bytes: number;
}

/** A checkpoint with the version of the program that created it, and the sizes of its parts. */
export interface CheckpointShown extends Checkpoint {
  readonly accounts: number;
  readonly symbols: readonly string[];
  readonly openOrders: number;
  /** The version of the program that created the checkpoint. */
  readonly version: string;
  /** The size of each module's saved state, as JSON, in characters. */
  readonly rooms: Readonly<Record<string, number>>;
}

/** A checkpoint with its contents. */
export interface Held {
  readonly shown: CheckpointShown;
  readonly image: StorageImage;
  readonly states: PartStates;
  /** Whether the checkpoint was imported from a file, so that the state of its modules is not yet validated. */
  readonly isForeign: boolean;
}

export class CheckpointRefused extends Rejection {
  constructor(
    code: "ALREADY_EXISTS" | "CHECKPOINT_UNFIT" | "CHECKPOINTS_FULL" | "TOO_MANY" | "UNKNOWN_CHECKPOINT",
    message: string,
  ) {
    super(code === "UNKNOWN_CHECKPOINT" ? 404 : 409, code, message);
  }
}

export interface RestoreOptions {
  /** Whether keys created since the checkpoint stay valid; they are then journaled again. */
  readonly keepKeys?: boolean | undefined;
  /** Whether streams and sessions stay open and continue from the state in the checkpoint. */
  readonly keepConnections?: boolean | undefined;
}

/** Options of a restore. */
interface How {
  readonly keepsConnections: boolean;
  /** The keys that stay valid after the restore. */
  readonly there: CurrentKeys | undefined;
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

  /** Returns the details of a checkpoint. Throws `CheckpointRefused` if it does not exist. */
  show(name: string): CheckpointShown {
    return this.find(name).shown;
  }

  /** Returns a checkpoint. Throws `CheckpointRefused` if it does not exist. */
  find(name: string): Held {
    const held = this.#held.get(name);
    if (held === undefined) throw new CheckpointRefused("UNKNOWN_CHECKPOINT", `There is no checkpoint ${name}.`);
    return held;
  }

  /**
   * Makes the current state the one that a reset restores. Called when the lab has started, and at the user's request.
   */
  takeStart(): Promise<Checkpoint> {
    return this.#lab.alone(async () => {
      const before = this.#start;
      this.#start = this.#capture("");
      if (before !== undefined) this.#lab.storage.drop(before.image);
      return told(this.#start);
    });
  }

  /**
   * Adds the current state as a checkpoint. Rejects with `CheckpointRefused` or a disk error; no checkpoint is added
   * then.
   */
  take(name: string, { replace = false }: { readonly replace?: boolean | undefined } = {}): Promise<Checkpoint> {
    return this.#lab.alone(async () => {
      this.checkName(name, replace);
      const taken = this.add(this.#capture(name));
      this.#lab.wasTaken();
      return taken;
    });
  }

  /** Adds a checkpoint. If this throws `CheckpointRefused`, the image is dropped. */
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

  /** Deletes a checkpoint. Throws `CheckpointRefused` if it does not exist. */
  delete(name: string): void {
    this.#lab.storage.drop(this.find(name).image);
    this.#held.delete(name);
  }

  /**
   * Restores a checkpoint. Resolves when everything is restored. Rejects with `CheckpointRefused`; the lab is unchanged
   * then.
   */
  restore(name: string, options: RestoreOptions = {}): Promise<Checkpoint> {
    return this.#lab.alone(() => this.#goTo(this.find(name), options));
  }

  /** Restores the initial state of the lab. */
  reset(options: RestoreOptions = {}): Promise<Checkpoint> {
    return this.#lab.alone(() => {
      assert(this.#start !== undefined, "a lab that has started has a start");
      return this.#goTo(this.#start, options);
    });
  }

  /** Checks that a checkpoint of this name can be added. Throws `CheckpointRefused`. */
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

  /** Creates a checkpoint from a file. No module has validated its state yet. */
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

  /**
   * Restores an imported checkpoint. If its state does not fit this lab's modules, the lab returns to its current
   * state.
   */
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

  /**
   * Compares the restored state with the checkpoint. A difference means that an imported file does not fit, or that the
   * lab has a bug.
   */
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

  async #giveKeys(there: CurrentKeys): Promise<void> {
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

/** Returns the time of the lab's clock, or the time of the last entry if the checkpoint has no clock. */
function nowMsOf({ clock }: PartStates, lastTimeMs: number): number {
  const state = clock as { readonly nowMs?: unknown } | undefined | null;
  return typeof state?.nowMs === "number" ? state.nowMs : lastTimeMs;
}
