/**
 * The part of etcd's v3 protocol that the node uses. The names of fields are ours; field numbers and the names of
 * services and methods are etcd's. https://etcd.io/docs/v3.5/dev-guide/api_reference_v3/
 */
import type { MethodDefinition } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";

interface Field {
  readonly type: string;
  readonly id: number;
  readonly rule?: "repeated";
}
type Fields = Readonly<
  Record<string, readonly [type: string, id: number] | readonly [type: string, id: number, "repeated"]>
>;
interface Message {
  readonly fields: Readonly<Record<string, Field>>;
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[] }>>;
}

/** `choice`: fields of a oneof. */
function message(fields: Fields, choice: readonly string[] = []): Message {
  const described = Object.entries(fields).map(([name, [type, id, rule]]) => [
    name,
    rule === undefined ? { type, id } : { type, id, rule },
  ]);
  return {
    fields: Object.fromEntries(described) as Record<string, Field>,
    ...(choice.length > 0 && { oneofs: { choice: { oneof: choice } } }),
  };
}

const HEADER = ["ResponseHeader", 1] as const;

const KEY_VALUES = {
  KeyValue: message({
    key: ["bytes", 1],
    createRevision: ["int64", 2],
    modRevision: ["int64", 3],
    version: ["int64", 4],
    value: ["bytes", 5],
    lease: ["int64", 6],
  }),
  Event: message({ type: ["EventType", 1], kv: ["KeyValue", 2] }),
  EventType: { values: { PUT: 0, DELETE: 1 } },
};

const REQUESTS = {
  ResponseHeader: message({ clusterId: ["uint64", 1], memberId: ["uint64", 2], revision: ["int64", 3] }),
  RangeRequest: message({
    key: ["bytes", 1],
    rangeEnd: ["bytes", 2],
    limit: ["int64", 3],
    revision: ["int64", 4],
    sortOrder: ["SortOrder", 5],
    sortTarget: ["SortTarget", 6],
    keysOnly: ["bool", 8],
    countOnly: ["bool", 9],
    minModRevision: ["int64", 10],
    maxModRevision: ["int64", 11],
  }),
  SortOrder: { values: { NONE: 0, ASCEND: 1, DESCEND: 2 } },
  SortTarget: { values: { KEY: 0, VERSION: 1, CREATE: 2, MOD: 3, VALUE: 4 } },
  RangeResponse: message({ header: HEADER, kvs: ["KeyValue", 2, "repeated"], more: ["bool", 3], count: ["int64", 4] }),
  PutRequest: message({ key: ["bytes", 1], value: ["bytes", 2], lease: ["int64", 3] }),
  PutResponse: message({ header: HEADER }),
  DeleteRangeRequest: message({ key: ["bytes", 1], rangeEnd: ["bytes", 2] }),
  DeleteRangeResponse: message({ header: HEADER, deleted: ["int64", 2] }),
  RequestOp: message({ range: ["RangeRequest", 1], put: ["PutRequest", 2], deleteRange: ["DeleteRangeRequest", 3] }, [
    "range",
    "put",
    "deleteRange",
  ]),
  ResponseOp: message(
    { range: ["RangeResponse", 1], put: ["PutResponse", 2], deleteRange: ["DeleteRangeResponse", 3] },
    ["range", "put", "deleteRange"],
  ),
  Compare: message(
    {
      result: ["CompareResult", 1],
      target: ["CompareTarget", 2],
      key: ["bytes", 3],
      version: ["int64", 4],
      createRevision: ["int64", 5],
      modRevision: ["int64", 6],
    },
    ["version", "createRevision", "modRevision"],
  ),
  CompareResult: { values: { EQUAL: 0, GREATER: 1, LESS: 2, NOT_EQUAL: 3 } },
  CompareTarget: { values: { VERSION: 0, CREATE: 1, MOD: 2, VALUE: 3, LEASE: 4 } },
  TxnRequest: message({
    compare: ["Compare", 1, "repeated"],
    success: ["RequestOp", 2, "repeated"],
    failure: ["RequestOp", 3, "repeated"],
  }),
  TxnResponse: message({ header: HEADER, succeeded: ["bool", 2], responses: ["ResponseOp", 3, "repeated"] }),
  CompactionRequest: message({ revision: ["int64", 1], physical: ["bool", 2] }),
  CompactionResponse: message({ header: HEADER }),
};

const WATCHES = {
  WatchRequest: message({ create: ["WatchCreateRequest", 1], progress: ["WatchProgressRequest", 3] }, [
    "create",
    "progress",
  ]),
  WatchCreateRequest: message({
    key: ["bytes", 1],
    rangeEnd: ["bytes", 2],
    startRevision: ["int64", 3],
    progressNotify: ["bool", 4],
    filters: ["FilterType", 5, "repeated"],
    fragment: ["bool", 8],
  }),
  FilterType: { values: { NOPUT: 0, NODELETE: 1 } },
  WatchProgressRequest: message({}),
  WatchResponse: message({
    header: HEADER,
    created: ["bool", 3],
    canceled: ["bool", 4],
    compactRevision: ["int64", 5],
    cancelReason: ["string", 6],
    fragment: ["bool", 7],
    events: ["Event", 11, "repeated"],
  }),
};

const LEASES = {
  LeaseGrantRequest: message({ ttl: ["int64", 1], id: ["int64", 2] }),
  LeaseGrantResponse: message({ header: HEADER, id: ["int64", 2], ttl: ["int64", 3], error: ["string", 4] }),
  LeaseRevokeRequest: message({ id: ["int64", 1] }),
  LeaseRevokeResponse: message({ header: HEADER }),
  LeaseKeepAliveRequest: message({ id: ["int64", 1] }),
  LeaseKeepAliveResponse: message({ header: HEADER, id: ["int64", 2], ttl: ["int64", 3] }),
};

const UPKEEP = {
  MemberListRequest: message({}),
  MemberListResponse: message({ header: HEADER, members: ["Member", 2, "repeated"] }),
  Member: message({
    id: ["uint64", 1],
    name: ["string", 2],
    clientUrls: ["string", 4, "repeated"],
    isLearner: ["bool", 5],
  }),
  AlarmRequest: message({ action: ["AlarmAction", 1], memberId: ["uint64", 2], alarm: ["AlarmType", 3] }),
  AlarmAction: { values: { GET: 0, ACTIVATE: 1, DEACTIVATE: 2 } },
  AlarmType: { values: { NONE: 0, NOSPACE: 1, CORRUPT: 2 } },
  AlarmMember: message({ memberId: ["uint64", 1], alarm: ["AlarmType", 2] }),
  AlarmResponse: message({ header: HEADER, alarms: ["AlarmMember", 2, "repeated"] }),
  StatusRequest: message({}),
  StatusResponse: message({
    header: HEADER,
    version: ["string", 2],
    dbSize: ["int64", 3],
    leader: ["uint64", 4],
    dbSizeInUse: ["int64", 9],
  }),
  DefragmentRequest: message({}),
  DefragmentResponse: message({ header: HEADER }),
  AuthenticateRequest: message({ name: ["string", 1], password: ["string", 2] }),
  AuthenticateResponse: message({ header: HEADER, token: ["string", 2] }),
};

const unary = (name: string) => ({ requestType: `${name}Request`, responseType: `${name}Response` });
const streamed = (name: string) => ({ ...unary(name), requestStream: true, responseStream: true });

/** The protocol as input of proto-loader's `fromJSON`. */
const PROTOCOL = {
  nested: {
    etcdserverpb: {
      nested: {
        ...KEY_VALUES,
        ...REQUESTS,
        ...WATCHES,
        ...LEASES,
        ...UPKEEP,
        KV: { methods: { Range: unary("Range"), Txn: unary("Txn"), Compact: unary("Compaction") } },
        Watch: { methods: { Watch: streamed("Watch") } },
        Lease: {
          methods: {
            LeaseGrant: unary("LeaseGrant"),
            LeaseRevoke: unary("LeaseRevoke"),
            LeaseKeepAlive: streamed("LeaseKeepAlive"),
          },
        },
        Cluster: { methods: { MemberList: unary("MemberList") } },
        Maintenance: {
          methods: { Alarm: unary("Alarm"), Status: unary("Status"), Defragment: unary("Defragment") },
        },
        Auth: { methods: { Authenticate: unary("Authenticate") } },
      },
    },
  },
};

/** A 64-bit number in decimal. */
export type Int64 = string;

export interface Header {
  readonly clusterId: Int64;
  readonly memberId: Int64;
  /** The newest revision of the store, not that of the returned data. */
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
  /** The past revision to read. Default: the newest. */
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
  /** More parts of the same response follow. */
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

/** The calls that the node makes: request and response. */
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

/** Path and codecs of a call. */
export function definitionOf<Name extends Method | keyof Streams>(
  name: Name,
): MethodDefinition<(Methods & Streams)[Name][0], (Methods & Streams)[Name][1]> {
  const [service, method] = name.split("/") as [string, string];
  const found = (services[`etcdserverpb.${service}`] as Record<string, unknown>)[method];
  return found as MethodDefinition<(Methods & Streams)[Name][0], (Methods & Streams)[Name][1]>;
}

/** Throws if the number is not exact in JavaScript, which a store cannot reach in practice. */
export function numberOf(value: Int64): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`etcd tells a number that cannot be: ${value}`);
  return number;
}
