/** What a connection to the WebSocket API tells of itself. Times are milliseconds. */

export interface SessionStatus {
  /** Logged on; null: none, as is `authorizedSince`. */
  readonly apiKey: string | null;
  readonly authorizedSince: number | null;
  readonly connectedSince: number;
  readonly returnRateLimits: boolean;
  readonly serverTime: number;
  /** Are there subscriptions? */
  readonly userDataStream: boolean;
}

export interface Subscribed {
  /** Counts from 0 on each connection. */
  readonly subscriptionId: number;
}
