/** Classification of failed writes, and of the members' versions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { CallFailed } from "../../../src/cluster/etcd/endpoint.ts";
import { isSupported } from "../../../src/cluster/etcd/upkeep.ts";

const certain: [status, string][] = [
  [status.INVALID_ARGUMENT, "etcdserver: request is too large"],
  [status.PERMISSION_DENIED, "etcdserver: permission denied"],
  [status.UNAUTHENTICATED, "etcdserver: invalid auth token"],
  [status.FAILED_PRECONDITION, "etcdserver: authentication is not enabled"],
  [status.RESOURCE_EXHAUSTED, "etcdserver: too many requests"],
  [status.UNAVAILABLE, "etcdserver: no leader"],
  [status.UNAVAILABLE, "No connection established. Last error: connect ECONNREFUSED"],
];
const unknown: [status, string][] = [
  [status.RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded"],
  [status.DEADLINE_EXCEEDED, "no answer in 500 ms"],
  [status.UNAVAILABLE, "etcdserver: request timed out"],
  [status.UNAVAILABLE, "etcdserver: request timed out, possibly due to previous leader failure"],
  [status.UNAVAILABLE, "etcdserver: request timed out, possibly due to connection lost"],
  [status.UNAVAILABLE, "etcdserver: leader changed"],
  [status.UNAVAILABLE, "etcdserver: server stopped"],
  [status.UNAVAILABLE, "read ECONNRESET"],
  [status.UNAVAILABLE, "Connection dropped"],
  [status.CANCELLED, "Cancelled on client"],
  [status.INTERNAL, "Received RST_STREAM with code 2"],
  [status.UNKNOWN, "context canceled"],
];
test("a failed write certainly did not happen, or its outcome is unknown", () => {
  for (const [code, message] of certain) assert.ok(new CallFailed(code, message).isCertain, message);
  for (const [code, message] of unknown) assert.ok(!new CallFailed(code, message).isCertain, message);
});

test("old members are detected by their versions", () => {
  for (const version of ["3.5.33", "3.5.40", "3.6.14", "3.7.1", "3.8.0", "4.0.0"])
    assert.ok(isSupported(version), version);
  for (const version of ["3.4.23", "3.4.99", "3.5.32", "3.6.0", "3.6.13", "3.7.0", "3.6.0-rc.2", "2.3.8"])
    assert.ok(!isSupported(version), version);
});
