/** etcd's messages as TypeScript sees them, and the codecs of its methods. 64-bit numbers travel as decimal texts. */
import type { MethodDefinition } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";
import { PROTOCOL } from "./messages.ts";

/** A 64-bit number in decimal. */
export type Int64 = string;

export interface Header {
  readonly clusterId: Int64;
  readonly memberId: Int64;
  /** The newest revision of the store, not that of what the answer holds. */
  readonly revision: Int64;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly createRevision: Int64;
  readonly modRevision: Int64;
  readonly version: Int64;
  readonly lease: Int64;
}

export interface RangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
  readonly limit?: number;
  /** The past state to read; default: the newest. */
  readonly revision?: number;
  readonly sortOrder?: "ASCEND" | "DESCEND";
  readonly sortTarget?: "KEY" | "MOD";
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
  readonly minModRevision?: number;
  readonly maxModRevision?: number;
}

export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: Int64;
}

export interface PutRequest {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease?: Int64;
}

export interface DeleteRangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
}

export interface Compare {
  readonly result: "EQUAL" | "GREATER" | "LESS" | "NOT_EQUAL";
  readonly target: "VERSION" | "CREATE" | "MOD";
  readonly key: Uint8Array;
  readonly version?: number;
  readonly createRevision?: number;
  readonly modRevision?: number;
}

export interface RequestOp {
  readonly range?: RangeRequest;
  readonly put?: PutRequest;
  readonly deleteRange?: DeleteRangeRequest;
}

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure?: readonly RequestOp[];
}

export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly { readonly range?: RangeResponse }[];
}

export interface WatchRequest {
  readonly create?: {
    readonly key: Uint8Array;
    readonly rangeEnd: Uint8Array;
    readonly startRevision: number;
    readonly progressNotify: boolean;
    readonly filters: readonly ("NOPUT" | "NODELETE")[];
    readonly fragment: boolean;
  };
  readonly progress?: Readonly<Record<never, never>>;
}

export interface WatchEvent {
  readonly type: "PUT" | "DELETE";
  readonly kv: KeyValue;
}

export interface WatchResponse {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: Int64;
  readonly cancelReason: string;
  /** More of the same response follows. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export interface Member {
  readonly id: Int64;
  readonly name: string;
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

export interface StatusResponse {
  readonly header: Header;
  readonly version: string;
  readonly dbSize: Int64;
  readonly dbSizeInUse: Int64;
  readonly leader: Int64;
}

export interface AlarmRequest {
  readonly action: "GET" | "DEACTIVATE";
  readonly memberId?: Int64;
  readonly alarm?: "NOSPACE" | "CORRUPT";
}

interface Alarm {
  readonly memberId: Int64;
  readonly alarm: "NONE" | "NOSPACE" | "CORRUPT";
}

type Empty = Readonly<Record<never, never>>;
interface Answer {
  readonly header: Header;
}

/** The calls that the node makes: what goes, and what comes. */
export interface Methods {
  "KV/Range": [RangeRequest, RangeResponse];
  "KV/Txn": [TxnRequest, TxnResponse];
  "KV/Compact": [{ readonly revision: number; readonly physical: boolean }, Answer];
  "Lease/LeaseGrant": [{ readonly ttl: number }, Answer & { readonly id: Int64; readonly ttl: Int64 }];
  "Lease/LeaseRevoke": [{ readonly id: Int64 }, Answer];
  "Cluster/MemberList": [Empty, Answer & { readonly members: readonly Member[] }];
  "Maintenance/Alarm": [AlarmRequest, Answer & { readonly alarms: readonly Alarm[] }];
  "Maintenance/Status": [Empty, StatusResponse];
  "Maintenance/Defragment": [Empty, Answer];
  "Auth/Authenticate": [{ readonly name: string; readonly password: string }, Answer & { readonly token: string }];
}
export type Method = keyof Methods;

export interface Streams {
  "Watch/Watch": [WatchRequest, WatchResponse];
  "Lease/LeaseKeepAlive": [{ readonly id: Int64 }, Answer & { readonly id: Int64; readonly ttl: Int64 }];
}

const services = fromJSON(PROTOCOL as Parameters<typeof fromJSON>[0], {
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
  arrays: true,
});

/** Returns path and codecs of a call. */
export function definitionOf<Name extends Method | keyof Streams>(
  name: Name,
): MethodDefinition<(Methods & Streams)[Name][0], (Methods & Streams)[Name][1]> {
  const [service, method] = name.split("/") as [string, string];
  const found = (services[`etcdserverpb.${service}`] as Record<string, unknown>)[method];
  return found as MethodDefinition<(Methods & Streams)[Name][0], (Methods & Streams)[Name][1]>;
}

/** Throws at a number that is not exact in JavaScript: a store gets there after a million revisions a second for centuries. */
export function numberOf(value: Int64): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`etcd tells a number that cannot be: ${value}`);
  return number;
}
