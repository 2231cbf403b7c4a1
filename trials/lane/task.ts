/** The task of a client, as JSON on its standard input. */
export interface Task {
  readonly rest: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** If false, the client closes its connection after each response. */
  readonly keepsAlive: boolean;
  /** The requests that general HTTP clients send unchanged, one after another. */
  readonly requests: readonly PlainRequest[];
  /** The order that an exchange client sends to the test endpoint. */
  readonly order: Readonly<Record<string, string>>;
}

export interface PlainRequest {
  /** Path and query. */
  readonly target: string;
  /** A form. */
  readonly body?: string;
  /** The client order ID of the order that DELETE cancels. */
  readonly orderId: string;
}
