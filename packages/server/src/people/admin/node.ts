/** The parts of a node that the admin API uses. Submits commands and waits for history. */
import {
  type Command,
  type EngineView,
  type Event,
  MAX_PROPOSALS,
  MAX_PROPOSALS_OF_AUTHOR,
  PROPOSABLE_ACTS,
  type RejectReason,
} from "@pricetime/engine";
import { Rejection } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import type { JournalSource } from "../../cluster/catch-up/port.ts";
import type { ClusterView } from "../../cluster/port.ts";
import type { LinkSecrets } from "../../platform/secrets/link-secrets.ts";
import type { Sealer } from "../../platform/secrets/seal.ts";
import { type History, HistoryBehind } from "../../history/port.ts";
import type { ReportSettings } from "../../history/shapes/valuation-asset.ts";
import type { JournalHead } from "../../journal/port.ts";
import type { DiskSpace, Health } from "../../platform/observe/health.ts";
import type { LastHour } from "../../platform/observe/last-hour.ts";
import type { Outbox } from "../mail/port.ts";
import type { Audits } from "../../funds/proof/folder/port.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import type { Wallet, WalletControls } from "../../funds/wallet/port.ts";
import type { World } from "../../platform/world/port.ts";
import { codeRefusal } from "../sign-in/refused.ts";

// Rejections of actions that require dual approval.

const MESSAGE =
  "This action requires dual approval. Send `action` to POST /v1/approval-requests; another operator must approve it.";
const NOT_AS_IT_IS =
  "This action requires dual approval and creates a secret that only one person may see, so it cannot be requested. Create " +
  "the API key with a public key of yours instead.";

function needsTwo(command: Command): Rejection {
  const isTellable = PROPOSABLE_ACTS.includes(command.type) && !holdsSecret(command);
  return isTellable
    ? new Rejection(409, "NEEDS_APPROVAL", MESSAGE, { action: command })
    : new Rejection(409, "NEEDS_APPROVAL", NOT_AS_IT_IS);
}

// Rejections of actions that older rules do not have.

const NOT_YET = "A cluster node runs an older release that cannot do this. Upgrade all nodes first.";

/** Throws a rejection while the journal follows older rules than this version. */
export function requireRules({ edition }: Pick<EngineView, "edition">, version: number): void {
  if (edition < version) throw new Rejection(409, "NOT_POSSIBLE", NOT_YET);
}

/**
 * Whether the action sets a secret. Approvers are not shown secrets, so the secret of an approved action would be lost.
 */
export function holdsSecret(act: object): boolean {
  const { sealedSecret = "" } = act as { readonly sealedSecret?: unknown };
  return sealedSecret !== "" && sealedSecret !== null;
}

/** The health and metrics of the node. */
export interface Watch {
  readonly health: Pick<Health, "faults" | "networks" | "warnings" | "roles">;
  readonly hour: Pick<LastHour, "figures" | "periodMs">;
  readonly disk: Pick<DiskSpace, "last">;
  /** The program's version. */
  readonly version: string;
  readonly startedMs: number;
}

export interface AdminNode {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly sealer: Sealer;
  readonly world: World;
  readonly history: History;
  readonly watch: Watch;
  readonly journalHead: () => Promise<JournalHead>;
  /** Serves the journal to other nodes. */
  readonly source: JournalSource;
  /** The default fee rates of new accounts. */
  readonly fees: { readonly makerBps: number; readonly takerBps: number };
  readonly reports: ReportSettings;
  /** Whether the node is a lab, which accepts listings with coarse rounding. */
  readonly isLab?: boolean;
  readonly wallet: Wallet;
  readonly controls: WalletControls;
  readonly outbox: Outbox;
  /** Checks operators' passwords and opens their sessions. */
  readonly signIn: Pick<SignIn, "prove" | "open" | "sealedHashOf">;
  /** Generates the secrets of links. */
  readonly links: LinkSecrets;
  /** The base URL of the exchange for links to customers. */
  readonly publicUrl: () => string;
  /** How long an invitation is valid. */
  readonly invitationLifeMs: number;
  /** Recomputes balances and proofs from the journal on disk. */
  readonly audits: Audits;
  /** Absent on a single node. */
  readonly cluster?: Pick<ClusterView, "status"> | undefined;
}

/**
 * Runs a command and returns its events. If the engine rejects it, throws `Rejection`, or `SignInRefused` because of
 * its two-factor code.
 */
export async function carryOut(node: Pick<AdminNode, "sequencer">, command: Command): Promise<readonly Event[]> {
  const { events } = await node.sequencer.run(command);
  const first = events[0];
  if (first?.type !== "rejected") return events;
  throw codeRefusal(first.reason, command, node.sequencer.nowMs()) ?? refusalFor(first.reason, command);
}

const TOO_MANY_PROPOSALS = new Rejection(
  409,
  "TOO_MANY",
  `At most ${MAX_PROPOSALS} approval requests can be waiting, ${MAX_PROPOSALS_OF_AUTHOR} of one author. Reject those that are not needed.`,
);

/** The admin API's error for a rejected command. */
export function refusalFor(reason: RejectReason, command: Command): Rejection {
  if (reason === "TOO_MANY" && command.type === "propose") return TOO_MANY_PROPOSALS;
  return reason === "NEEDS_TWO" ? needsTwo(command) : rejectionOf(reason);
}

/**
 * Awaits a history query. Throws `Rejection` HISTORY_BEHIND if it timed out because history lags behind the journal.
 */
export async function fromHistory<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof HistoryBehind)) throw error;
    throw new Rejection(503, "HISTORY_BEHIND", "History is behind the journal. Try again in a few seconds.");
  }
}
