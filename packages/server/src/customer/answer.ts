/** Answers of the account API. */

export interface CustomerAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** JSON, or a text of the type that is named. */
  readonly body: unknown;
  readonly contentType?: string;
}

export const ok = (body: object, headers: readonly string[] = []): CustomerAnswer => ({ status: 200, headers, body });
/** The same for everybody: whether anything follows is told by letter. */
export const ACCEPTED: CustomerAnswer = { status: 202, headers: [], body: {} };
