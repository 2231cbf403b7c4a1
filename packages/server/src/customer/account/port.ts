/** The account API of those who are signed in: what its routes take and give. It knows no HTTP, and not who signed in how. */
import type { EngineView, Holder } from "@pricetime/engine";
import type { Sealer } from "../../config/seal.ts";
import type { CheckTotp } from "../../config/totp.ts";
import type { History } from "../../history/port.ts";
import type { Audits } from "../../proof/folder/port.ts";
import type { Sequencer } from "../../sequencer/port.ts";
import type { Wallet } from "../../wallet/port.ts";
import type { World } from "../../world/port.ts";

/** The parts of a node that the routes work on. */
export interface AccountParts {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly sealer: Pick<Sealer, "seal">;
  /** The clock that two-factor codes follow, and the dice of keys. */
  readonly world: Pick<World, "nowMs" | "randomBytes">;
  readonly history: Pick<History, "deposits" | "statementBounds" | "statementPage">;
  readonly checkTotp: CheckTotp;
  readonly wallet: Pick<Wallet, "isAddress" | "depthOf">;
  readonly audits: Pick<Audits, "publicPart" | "customerPart" | "makePublished">;
  /** How long a new address waits while the list is enforced, and a list that its owner ends. */
  readonly addressWaitMs: number;
}

/** A request without a session. */
export interface OpenRequest {
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface AccountRequest extends OpenRequest {
  /** Who is signed in. */
  readonly accountId: number;
  /** `account:<accountId>`: the actor's name in the journal. */
  readonly holder: Holder;
}

export interface AccountAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Sent instead of the body; when it throws, the connection is to be broken off, so that nobody takes it for whole. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** What the stream is made of. */
  readonly type?: string;
  /** The name under which a browser keeps the stream. */
  readonly fileName?: string;
}

interface RouteFields<Request> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/account/v1/`; a part after a colon is a parameter. */
  readonly path: string;
  /** As requests of the interface are counted; 1 when absent. */
  readonly weight?: number;
  /** Throws `AccountRefused` or rejects with it. */
  readonly handle: (request: Request) => AccountAnswer | Promise<AccountAnswer>;
}
/** `isOpen`: nobody needs to be signed in. */
export type AccountRoute =
  | (RouteFields<AccountRequest> & { readonly isOpen: false })
  | (RouteFields<OpenRequest> & { readonly isOpen: true });

/** A request that is refused: a word for programs, and a sentence for people. */
export class AccountRefused extends Error {
  override readonly name = "AccountRefused";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A route of somebody who is signed in. */
export function own(route: RouteFields<AccountRequest>): AccountRoute {
  return { ...route, isOpen: false };
}

export const ok = (body: unknown): AccountAnswer => ({ status: 200, body });
export const created = (body: unknown): AccountAnswer => ({ status: 201, body });

