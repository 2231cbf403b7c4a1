/** Who the node says one is. */
import type { DoneWork } from "../../pages/sign-in-work.ts";

export interface Me {
  readonly name: string;
  /** Null: the admin token has none, and may do all. */
  readonly role: string | null;
  readonly rights: readonly string[];
  readonly isToken: boolean;
  readonly hasTotp: boolean;
}

/** What an operator signs in with. The code is asked for where the operator has two-factor. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code?: string;
  readonly work?: DoneWork;
}

export interface SignedIn {
  readonly token: string;
  readonly name: string;
  /** Sent with this browser's next sign-in: others who guess do not slow that down. It opens nothing. */
  readonly mark: string;
}
