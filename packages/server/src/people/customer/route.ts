/** A route of the account API, and the arguments of its handler. */
import type { AccountView, EngineView, SessionRecord } from "@pricetime/engine";
import type { z } from "zod";
import type { AccountsSettings } from "../../platform/config/schema.ts";
import type { FilePlaces } from "../../api/answers/file-places.ts";
import type { CheckTotp } from "../../platform/config/totp.ts";
import type { Audits } from "../../funds/proof/folder/port.ts";
import type { Wallet } from "../../funds/wallet/port.ts";
import type { PublicParts } from "./public-parts.ts";
import type { Sealer } from "../../platform/config/seal.ts";
import type { History } from "../../history/port.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
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
  /** Limits the statements that are written at a time. */
  readonly statements: FilePlaces;
  /** The fee rates of accounts opened by sign-up. */
  readonly fees: { readonly makerBps: number; readonly takerBps: number };
}

/** A request without a session. */
export interface Asked {
  readonly ip: string;
  /** The User-Agent, sanitized for the journal. */
  readonly client: string;
  /** The cookie of familiar browsers: see `browserOf`. */
  readonly mark: string | undefined;
  /** The session token, if one was sent, valid or not. */
  readonly token: string | undefined;
  readonly body: unknown;
  readonly query: URLSearchParams;
  /** The values of `:name` parameters in the path. */
  readonly named: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/** A request with a session. */
export interface SignedIn extends Asked {
  readonly account: AccountView;
  /** `account:100`: the `by` of the customer's commands. */
  readonly holder: string;
  readonly session: SessionRecord;
  readonly shown: Shown;
}

export type Handled = CustomerAnswer | Promise<CustomerAnswer>;

interface Shape {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/account/v1`, as `/sessions/:session`. */
  readonly path: string;
  /** The request weight: `LOOK` and the like. */
  readonly weight: number;
  /** One sentence. */
  readonly summary: string;
  /** The response; absent when it is empty. */
  readonly answers?: string;
  /** 200 when absent. */
  readonly status?: 202;
  /** Content types of the response; JSON when absent. */
  readonly types?: readonly string[];
  /** The schemas with which the handler parses the request. */
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
}

export type CustomerRoute =
  | (Shape & {
      readonly isOpen: true;
      /** Public: needs no page header, and reads no session. */
      readonly isPublic?: true;
      readonly handle: (asked: Asked, parts: CustomerParts) => Handled;
    })
  | (Shape & { readonly isOpen?: never; readonly handle: (asked: SignedIn, parts: CustomerParts) => Handled });

/** Throws `CustomerRefused` with the first invalid field. */
export function read<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const checked = schema.safeParse(value ?? {});
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new CustomerRefused("BAD_REQUEST", `The request is invalid: ${place}${issue?.message ?? ""}.`);
}
