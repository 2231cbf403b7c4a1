/**
 * Binds a journal to its master key: the journal contains a check value of the key, and nodes with another key do not
 * start. docs/decisions/0014.
 */
import assert from "node:assert/strict";
import type { EngineView } from "@pricetime/engine";
import { ConfigError } from "../../platform/config/faults.ts";
import {
  clusterTokenOf,
  DEMO_CLUSTER_KEY,
  keptMasterKey,
  makeMasterKey,
  masterKeyCheck,
  masterKeyPath,
} from "../../platform/config/master-key.ts";
import { createSealer, type Sealer, UnsealError } from "../../platform/secrets/seal.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Dice } from "../../platform/world/port.ts";

type View = Pick<EngineView, "masterKeyCheck" | "accounts" | "apiKeys">;

interface KeySettings {
  readonly masterKey: string | null;
  readonly dataFolder: string;
  readonly demo: boolean;
  /** Null on a single node. */
  readonly cluster: { readonly token: string | null } | null;
}

const NODES_SHARE_A_KEY =
  "masterKey: all nodes of a cluster need the same master key. Create it once with `openssl rand -hex 32`, and set it on every node";

/**
 * Returns the master key of a cluster node. It is never generated, because all nodes need the same key. Throws a
 * one-line `ConfigError` if there is none.
 */
export function sharedMasterKey({ masterKey, dataFolder, demo }: KeySettings): string {
  const key = keptMasterKey(masterKey, dataFolder) ?? (demo ? DEMO_CLUSTER_KEY : undefined);
  if (key === undefined) throw new ConfigError(NODES_SHARE_A_KEY);
  return key;
}

/** Returns the token of cluster nodes; undefined on a single node. Throws the errors of `sharedMasterKey`. */
export function nodeTokenOf(settings: KeySettings): string | undefined {
  const { cluster } = settings;
  return cluster === null ? undefined : (cluster.token ?? clusterTokenOf(sharedMasterKey(settings)));
}

/**
 * Returns the journal's master key; generates one for a new journal. If the key is missing or wrong, throws a one-line
 * `ConfigError` and changes nothing.
 */
export function masterKeyOf(settings: KeySettings, view: View, dice: Dice): string {
  const { dataFolder: folder } = settings;
  const configured = settings.cluster === null ? settings.masterKey : sharedMasterKey(settings);
  const key = keptMasterKey(configured, folder);
  const path = masterKeyPath(folder);
  if (key === undefined) {
    if (!wasUsed(view)) return makeMasterKey(folder, dice);
    throw new ConfigError(
      `${path} does not exist, but the journal was created with a master key. Restore the file, or set masterKey or masterKeyFile`,
    );
  }
  if (!fits(createSealer(key, dice), key, view)) {
    const which = configured === null ? `The key in ${path}` : "The configured master key";
    throw new ConfigError(`${which} is not the master key that this journal was created with. Use that key`);
  }
  return key;
}

/**
 * Journals the key's check value if the journal lacks it, because it is new or was written by release 0.1.0. Throws
 * `ConfigError` if another node has journaled the check value of a different key.
 */
export async function bindMasterKey(sequencer: Sequencer, view: View, masterKey: string, by: string): Promise<void> {
  const keyCheck = masterKeyCheck(masterKey);
  if (view.masterKeyCheck === "") await sequencer.run({ type: "bindMasterKey", by, keyCheck });
  if (view.masterKeyCheck === keyCheck) return;
  assert(view.masterKeyCheck !== "", "a journal without a check value takes one");
  throw new ConfigError("Another node has started this journal with another master key. Use the same key on all nodes");
}

function wasUsed(view: View): boolean {
  if (view.masterKeyCheck !== "") return true;
  for (const _ of sealedSecrets(view)) return true;
  return false;
}

/**
 * Whether the key matches the check value. Without a check value, whether it decrypts any secret; one suffices, because
 * others may have been encrypted with an earlier key.
 */
function fits(sealer: Sealer, key: string, view: View): boolean {
  if (view.masterKeyCheck !== "") return view.masterKeyCheck === masterKeyCheck(key);
  let isUsed = false;
  for (const sealed of sealedSecrets(view)) {
    if (opens(() => sealer.unseal(sealed))) return true;
    isUsed = true;
  }
  return !isUsed;
}

function* sealedSecrets(view: View): Iterable<string> {
  for (const { accountId, sealedTotp } of view.accounts()) {
    if (sealedTotp !== null) yield sealedTotp;
    for (const { sealedSecret } of view.apiKeys(accountId)) if (sealedSecret !== "") yield sealedSecret;
  }
}

function opens(unseal: () => string): boolean {
  try {
    unseal();
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}
