/** The methods that act on the connection itself. Their rows are in the protocol's `session.ts`. */
import type { ApiKey } from "@pricetime/engine";
import { LOGON_BY_HMAC_KEY, REJECTED_API_KEY } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { Refused } from "../edge/refusals.ts";

function statusOf(call: Call): string {
  return JSON.stringify(call.session().status(call.nowMs));
}

export function logOn(call: Call): string {
  const key = call.apiKey();
  if (key.publicKey === undefined) throw new Refused(LOGON_BY_HMAC_KEY);
  call.session().logOn(key, call.nowMs);
  return statusOf(call);
}

export function sessionStatus(call: Call): string {
  return statusOf(call);
}

export function logOut(call: Call): string {
  call.session().logOut();
  return statusOf(call);
}

export function subscriptions(call: Call): string {
  return JSON.stringify(call.session().subscriptions);
}

/** The key that is logged on: a key that is only named is not known to be the sender's. */
function loggedOnKey(call: Call): ApiKey {
  const key = call.apiKey();
  if (call.session().key?.apiKey !== key.apiKey) throw new Refused(REJECTED_API_KEY);
  return key;
}

export function subscribe(call: Call): string {
  return `{"subscriptionId":${call.session().subscribe(loggedOnKey(call), true)}}`;
}

export function subscribeBySignature(call: Call): string {
  return `{"subscriptionId":${call.session().subscribe(call.apiKey(), false)}}`;
}

export function unsubscribe(call: Call): string {
  call.session().unsubscribe(call.integer("subscriptionId"));
  return "{}";
}
