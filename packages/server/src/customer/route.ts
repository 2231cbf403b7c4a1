/** One route of the account API, and what its handler is given. */
import type { AccountView, EngineView, SessionRecord } from "@pricetime/engine";
import type { z } from "zod";
import type { AccountsSettings } from "../config/schema.ts";
import type { FilePlaces } from "../answers/file-places.ts";
import type { CheckTotp } from "../config/totp.ts";
import type { Audits } from "../proof/folder/port.ts";
import type { Wallet } from "../wallet/port.ts";
import type { PublicParts } from "./public-parts.ts";
import type { Sealer } from "../config/seal.ts";
import type { History } from "../history/port.ts";
import type { Sequencer } from "../sequencer/port.ts";
import type { Shown } from "../sign-in/session-door.ts";
import type { SignInRoom } from "../sign-in/open-sign-in.ts";
import type { CustomerAnswer } from "./answer.ts";
import { CustomerRefused } from "./refused.ts";

export interface CustomerParts {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly sealer: Sealer;
  readonly room: SignInRoom;
  readonly settings: Readonly<AccountsSettings>;
  readonly checkTotp: CheckTotp;
  readonly wallet: Pick<Wallet, "isAddress" | "depthOf">;
  readonly audits: Pick<Audits, "customerPart">;
  readonly publicParts: PublicParts;
  /** Who has a statement written. */
  readonly statements: FilePlaces;
  /** The rates of accounts that strangers open. */
  readonly fees: { readonly makerBps: number; readonly takerBps: number };
}

/** What anybody may ask. */
export interface Asked {
  readonly ip: string;
  /** What the browser calls itself, fit for the journal. */
  readonly client: string;
  /** What a browser keeps of earlier sessions: see `familiar-browsers.ts`. */
  readonly mark: string | undefined;
  /** The token of the session, if one was sent, good or not. */
  readonly token: string | undefined;
  readonly body: unknown;
  readonly query: URLSearchParams;
  /** What stands in the places of `:name` in the path. */
  readonly named: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/** What somebody who is signed in asks. */
export interface SignedIn extends Asked {
  readonly account: AccountView;
  /** `account:100`, and so the `by` of what the customer does. */
  readonly holder: string;
  readonly session: SessionRecord;
  readonly shown: Shown;
}

export type Handled = CustomerAnswer | Promise<CustomerAnswer>;

interface Shape {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/account/v1`, as `/sessions/:session`. */
  readonly path: string;
  /** What it counts of the address's limit: see `weights.ts`. */
  readonly weight: number;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** What it answers with, unless nothing. */
  readonly answers?: string;
  /** The status of the answer; 200 when absent. */
  readonly status?: 202;
  /** What the answer is made of; JSON when absent. */
  readonly types?: readonly string[];
  /** The schemas by which the handler reads what is sent. */
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
}

export type CustomerRoute =
  | (Shape & {
      readonly isOpen: true;
      /** What all may see: no page of ours need ask, and nothing of a session is read. */
      readonly isPublic?: true;
      readonly handle: (asked: Asked, parts: CustomerParts) => Handled;
    })
  | (Shape & { readonly isOpen?: never; readonly handle: (asked: SignedIn, parts: CustomerParts) => Handled });

/** Throws `CustomerRefused`, which names the first place that is wrong. */
export function read<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const checked = schema.safeParse(value ?? {});
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new CustomerRefused("BAD_REQUEST", `The request is not right: ${place}${issue?.message ?? ""}.`);
}
