/** The state of a connection to the WebSocket API. Times are milliseconds. */

export interface SessionStatus {
  /** The key that is logged on; null without one, as is `authorizedSince`. */
  readonly apiKey: string | null;
  readonly authorizedSince: number | null;
  readonly connectedSince: number;
  readonly returnRateLimits: boolean;
  readonly serverTime: number;
  /** Whether there are subscriptions. */
  readonly userDataStream: boolean;
}

export interface Subscribed {
  /** Counts from 0 on each connection. */
  readonly subscriptionId: number;
}
