/** The constructors of the account API's routes, and shared code of their handlers. */
import {
  type AccountView,
  type CodeOfAct,
  type Command,
  type EngineView,
  type Event,
  foldedEmail,
  MAX_TEXT_LENGTH,
  MINUTE_MS,
  type PublishedProof,
  type SessionRecord,
} from "@pricetime/engine";
import { AuditRefused, type Audits } from "../../funds/proof/folder/port.ts";
import { z } from "zod";
import { EMAIL_LANGUAGES, type EmailLanguage } from "../../platform/config/branding-schema.ts";
import type { AccountsSettings } from "../../platform/config/schema.ts";
import type { FileSlots } from "../../api/answers/file-answers.ts";
import type { CheckTotp } from "../../platform/secrets/totp.ts";
import type { Wallet } from "../../funds/wallet/port.ts";
import type { Sealer } from "../../platform/secrets/seal.ts";
import type { History } from "../../history/port.ts";
import type { ReportSettings } from "../../history/shapes/valuation-asset.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Shown } from "../sign-in/sessions.ts";
import type { CustomerSignIn } from "../sign-in/sign-in.ts";
import { type Parsed, type Received, type Route, routeMaker } from "../http/route.ts";
import type { ManualNetwork } from "./answers.ts";
import { rejected, rejectionOf } from "./rejections.ts";
import { isFitPassword } from "../sign-in/passwords.ts";
import { codeRefusal, codeUsed, SignInRefused } from "../sign-in/refused.ts";

// Limits of the account API.

export const STATEMENT_LIMITS = {
  /** Maximum number of statements written at the same time, of which each customer can have one. */
  atOnce: 4,
  /**
   * A month's statement is available this long after the month ends. Allows for another node's clock that is slightly
   * behind.
   */
  settleMs: MINUTE_MS,
} as const;

/** Maximum number of pending deposits per status in one response. The deposit history lists all. */
export const MAX_LISTED_DEPOSITS = 100;

/** How long a public part is cached. */
const PUBLIC_PART_MS = 10_000;

// Rate limit weights of account API requests. The default limit of an IP address is 1,200 a minute.

/** A read from the node's memory. */
export const LOOK = 1;
/** A query of history, or of the thread that reads proofs. */
export const READ = 10;
/** A statement, which scans a month of the venue's postings. */
export const STATEMENT = 50;
/** A portfolio, which reads all trades of an account. */
export const PORTFOLIO = 50;
/** A command, which the journal stores permanently. */
export const ACT = 5;
/** A password hash: 60 ms of CPU time and 32 MiB of memory. */
export const HASH = 25;
/** A request that may send an email. */
export const EMAIL_WEIGHT = 40;

/** Caches the public part of the published proof, which anyone can request. */
export class PublicParts {
  readonly #audits: Pick<Audits, "publicPart" | "makePublished">;
  #root = "";
  /** When the cached text expires. Reserves may be added to a published proof. */
  #freshUntilMs = 0;
  #text: Promise<string> | undefined;

  constructor(audits: Pick<Audits, "publicPart" | "makePublished">) {
    this.#audits = audits;
  }

  /** Returns the public part of a published proof. Rejects with `AuditRefused`. Failures are not cached. */
  async textOf(published: PublishedProof, nowMs: number): Promise<string> {
    if (this.#text === undefined || this.#root !== published.root || nowMs >= this.#freshUntilMs) {
      this.#root = published.root;
      this.#freshUntilMs = nowMs + PUBLIC_PART_MS;
      this.#text = this.#read(published);
    }
    const text = this.#text;
    try {
      return await text;
    } catch (error) {
      if (this.#text === text) this.#text = undefined;
      throw error;
    }
  }

  /** If another node created the proof, this node recreates it from its own journal. */
  async #read(published: PublishedProof): Promise<string> {
    const { seq, root } = published;
    const { digest: made } = await this.#audits.makePublished(published);
    if (made !== root) {
      throw new AuditRefused("NOT_POSSIBLE", `the proof of entry ${seq} that is kept here is not the published one`);
    }
    return this.#audits.publicPart(seq);
  }
}

export interface CustomerParts {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly sealer: Sealer;
  readonly room: CustomerSignIn;
  readonly settings: Readonly<AccountsSettings>;
  readonly checkTotp: CheckTotp;
  readonly wallet: Pick<Wallet, "isAddress" | "depthOf">;
  readonly manualNetworks: readonly Readonly<ManualNetwork>[];
  readonly audits: Pick<Audits, "customerPart">;
  readonly publicParts: PublicParts;
  /** Limits the statements that are written at the same time. */
  readonly statements: FileSlots;
  /** Whether emails are sent, and not only stored for the operators. */
  readonly hasMailServer: boolean;
  /** The language of customers who have not chosen one. */
  readonly language: EmailLanguage;
  /** The setting of the asset in which portfolios are valued. */
  readonly reports: Pick<ReportSettings, "asset">;
  /** Fee rates of accounts that are opened by sign-up. */
  readonly fees: { readonly makerBps: number; readonly takerBps: number };
}

/** A request without a session. */
export interface Asked extends Received {
  readonly ip: string;
  /** The User-Agent, sanitized for the journal. */
  readonly client: string;
  /** The cookie that marks a familiar browser: see `browserOf`. */
  readonly mark: string | undefined;
  /** The session token if one was sent, valid or not. */
  readonly token: string | undefined;
  readonly nowMs: number;
}

/** A request with a session. */
export interface SignedIn extends Asked {
  readonly account: AccountView;
  /** `account:100`, for example. The `by` field of the customer's commands. */
  readonly holder: string;
  readonly session: SessionRecord;
  readonly shown: Shown;
}

/** Parses a value. Throws `Rejection` with the first invalid field. */
function read<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const checked = schema.safeParse(value ?? {});
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw rejected("BAD_REQUEST", `The request is invalid: ${place}${issue?.message ?? ""}.`);
}

/**
 * anyone: neither page header nor session required; page: a page of this node; session: a page of this node with a
 * session.
 */
export const ACCOUNT_RIGHTS = ["anyone", "page", "session"] as const;

export type AccountRoute = Route<"anyone" | "page", Asked, CustomerParts> | Route<"session", SignedIn, CustomerParts>;

export const openRoute = routeMaker<Asked, CustomerParts, "anyone" | "page">(read, {});
export const ownRoute = routeMaker<SignedIn, CustomerParts, "session", "needs">(read, { needs: "session" });

// Requests as passed to handlers.

export type Open<Body extends z.ZodType> = Parsed<Asked, Body>;
export type Own<Body extends z.ZodType, Query extends z.ZodType = z.ZodType, Name extends string = never> = Parsed<
  SignedIn,
  Body,
  Query,
  Name
>;

// Values in the bodies of the account API.

/** Maximum length of any text field, in characters. */
const MAX_FIELD_LENGTH = 2048;

/** An email address as typed. There may be no account with it. */
export const email = z.string().trim().min(1).max(MAX_TEXT_LENGTH);
/** An email address to which emails can be sent. */
export const newEmail = z.email().max(MAX_TEXT_LENGTH).overwrite(foldedEmail);
export const password = z.string().max(MAX_FIELD_LENGTH);
export const code = z.string().regex(/^[0-9]{6}$/, "expected six digits");
export const id = z.string().regex(/^[0-9a-f]{32}$/, "expected 32 hex digits");
export const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "expected 43 characters from a link");
export const sealed = z.string().max(MAX_FIELD_LENGTH);

export const language = z.enum(EMAIL_LANGUAGES);

/** Checks a new password's length. Throws `Rejection`. */
export function fitPassword(given: string): string {
  if (!isFitPassword(given)) throw rejected("INVALID_PASSWORD");
  return given;
}

// Commands of the account API.

/**
 * Runs a command and returns its events. Rejects with `Rejection`, with `SignInRefused` because of its two-factor code,
 * and with the errors of `Sequencer.run`.
 */
export async function carryOut(
  { sequencer }: { readonly sequencer: Sequencer },
  command: Command,
): Promise<readonly Event[]> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  if (first?.type === "rejected") {
    throw codeRefusal(first.reason, command, sequencer.nowMs()) ?? rejectionOf(first.reason);
  }
  return events;
}

/**
 * Submits a command without waiting for it, so that neither the answer nor its timing reveals anything about an
 * account.
 */
export function setOff({ sequencer }: { readonly sequencer: Sequencer }, command: Command): void {
  sequencer.submit(command, () => {});
}

// The customer's own account and sub-accounts, and two-factor codes.

export const accountNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The query of a route that also serves sub-accounts. */
export const ofAccount = { account: accountNumber.optional() };
export const ofAccountQuery = z.strictObject(ofAccount);

/** A request whose path names something. */
export type OfPath<Name extends string> = Own<z.ZodType, z.ZodType, Name>;
/** A request whose query may name an account. */
export type OfAccount = Own<z.ZodType, typeof ofAccountQuery>;

type Caller = Pick<SignedIn, "account">;

/** Whether an account is the signed-in account or one of its sub-accounts. */
export function isOwn({ view }: Pick<CustomerParts, "view">, { account }: Caller, other: number | undefined): boolean {
  return other !== undefined && (other === account.accountId || view.account(other)?.masterId === account.accountId);
}

/**
 * Returns the signed-in account or one of its sub-accounts. For any other account, does not reveal whether it exists.
 */
export function ownAccount(
  parts: Pick<CustomerParts, "view">,
  caller: Caller,
  wanted: number | undefined,
): AccountView {
  const account = wanted === undefined ? caller.account : parts.view.account(wanted);
  if (account !== undefined && isOwn(parts, caller, account.accountId)) return account;
  throw rejected("UNKNOWN_ACCOUNT");
}

/** The account named by `?account=`; by default the signed-in one. */
export function askedAccount(parts: Pick<CustomerParts, "view">, asked: OfAccount): AccountView {
  return ownAccount(parts, asked, asked.query.account);
}

/**
 * Requires a two-factor code for requests that could give access to funds to a thief with a stolen session, and returns
 * the code as stored in commands. Throws `SignInRefused` unless the code is valid and unused, or the account has no
 * two-factor authentication.
 */
export function demandCode(
  { view, checkTotp }: Pick<CustomerParts, "view" | "checkTotp">,
  { account: { accountId, sealedTotp }, session: { sessionId }, nowMs }: SignedIn,
  code: string | undefined,
): CodeOfAct {
  if (sealedTotp === null) return {};
  if (code === undefined) throw new SignInRefused("CODE_REQUIRED");
  const totpStep = checkTotp(accountId, sealedTotp, code, nowMs, sessionId);
  if (totpStep === null) throw new SignInRefused("CODE_WRONG");
  const lastStep = view.access.totpStep(accountId);
  if (totpStep <= lastStep) throw codeUsed(lastStep, nowMs);
  return { totpStep, totpSecret: sealedTotp };
}
