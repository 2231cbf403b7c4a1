/** What each client is given, as JSON on its standard input. */
export interface Task {
  readonly rest: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** False: the client is told to close its connection with each answer. */
  readonly keepsAlive: boolean;
  /** To be sent as they are, one after the other, by clients that know nothing of the exchange. */
  readonly requests: readonly PlainRequest[];
  /** What a client of the exchange asks with POST to have tested. */
  readonly order: Readonly<Record<string, string>>;
}

export interface PlainRequest {
  /** Path and query. */
  readonly target: string;
  /** A form. */
  readonly body?: string;
  /** An order to be cancelled by DELETE, as its client named it. */
  readonly orderId: string;
}
