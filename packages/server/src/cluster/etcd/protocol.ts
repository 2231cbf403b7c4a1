/**
 * The part of etcd's v3 protocol that the node uses. The names of fields are ours; field numbers and the names of
 * services and methods are etcd's. https://etcd.io/docs/v3.5/dev-guide/api_reference_v3/
 */
import type { MethodDefinition } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";

type Field = readonly [type: string, id: number] | readonly [type: string, id: number, rule: "repeated"];
type Fields = Readonly<Record<string, Field>>;

interface Message<Described extends Fields> {
  readonly described: Described;
  readonly choice: readonly string[];
}

/** `choice` lists the fields of a oneof. */
function message<const Described extends Fields>(described: Described, choice: readonly string[] = []) {
  return { described, choice } satisfies Message<Described>;
}

/** The description of a message in proto-loader's format. */
function definition({ described, choice }: Message<Fields>): object {
  const fields = Object.entries(described).map(([name, [type, id, rule]]) => [
    name,
    { type, id, ...(rule && { rule }) },
  ]);
  return { fields: Object.fromEntries(fields), ...(choice.length > 0 && { oneofs: { choice: { oneof: choice } } }) };
}

const HEADER = ["ResponseHeader", 1] as const;

const ENUMS = {
  EventType: { PUT: 0, DELETE: 1 },
  SortOrder: { NONE: 0, ASCEND: 1, DESCEND: 2 },
  SortTarget: { KEY: 0, VERSION: 1, CREATE: 2, MOD: 3, VALUE: 4 },
  CompareResult: { EQUAL: 0, GREATER: 1, LESS: 2, NOT_EQUAL: 3 },
  CompareTarget: { VERSION: 0, CREATE: 1, MOD: 2, VALUE: 3, LEASE: 4 },
  FilterType: { NOPUT: 0, NODELETE: 1 },
  AlarmAction: { GET: 0, ACTIVATE: 1, DEACTIVATE: 2 },
  AlarmType: { NONE: 0, NOSPACE: 1, CORRUPT: 2 },
};

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

const MESSAGES = { ...KEY_VALUES, ...REQUESTS, ...WATCHES, ...LEASES, ...UPKEEP };

const unary = (name: string) => ({ requestType: `${name}Request`, responseType: `${name}Response` });
const streamed = (name: string) => ({ ...unary(name), requestStream: true, responseStream: true });

/** The protocol as input of proto-loader's `fromJSON`. */
const PROTOCOL = {
  nested: {
    etcdserverpb: {
      nested: {
        ...Object.fromEntries(Object.entries(ENUMS).map(([name, values]) => [name, { values }])),
        ...Object.fromEntries(Object.entries(MESSAGES).map(([name, described]) => [name, definition(described)])),
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

/** A 64-bit number as decimal text. */
export type Int64 = string;

type Messages = typeof MESSAGES;
type MessageName = keyof Messages;
type FieldsOf<Name extends MessageName> = Messages[Name]["described"];
type ListIf<Described, Value> = Described extends readonly [string, number, "repeated"] ? readonly Value[] : Value;
type EnumValue<Type> = Type extends keyof typeof ENUMS ? keyof (typeof ENUMS)[Type] : never;

interface Scalars {
  readonly bytes: Buffer;
  readonly int64: Int64;
  readonly uint64: Int64;
  readonly bool: boolean;
  readonly string: string;
}
interface SentScalars extends Omit<Scalars, "bytes" | "int64"> {
  readonly bytes: Uint8Array;
  readonly int64: number | Int64;
}

/** A received message. All fields are present, except those of a oneof. */
export type Received<Name extends MessageName> = {
  readonly [Field in keyof FieldsOf<Name>]: ListIf<FieldsOf<Name>[Field], ReceivedValue<FieldsOf<Name>[Field]>>;
};
type ReceivedValue<Described> = Described extends readonly [infer Type, ...unknown[]]
  ? Type extends keyof Scalars
    ? Scalars[Type]
    : Type extends "ResponseOp"
      ? Partial<Received<Type>>
      : Type extends MessageName
        ? Received<Type>
        : EnumValue<Type>
  : never;

/** Fields that a message must have, because their default value would mean something else. */
interface RequiredFields {
  readonly RangeRequest: "key";
  readonly PutRequest: "key" | "value";
  readonly DeleteRangeRequest: "key";
  readonly Compare: "result" | "target" | "key";
  readonly TxnRequest: "compare" | "success";
  readonly CompactionRequest: "revision" | "physical";
  readonly WatchCreateRequest: "key" | "rangeEnd" | "startRevision" | "progressNotify" | "filters" | "fragment";
  readonly LeaseGrantRequest: "ttl";
  readonly LeaseRevokeRequest: "id";
  readonly LeaseKeepAliveRequest: "id";
  readonly AlarmRequest: "action";
  readonly AuthenticateRequest: "name" | "password";
}
type RequiredOf<Name extends MessageName> = Name extends keyof RequiredFields ? RequiredFields[Name] : never;

/** A message to send. Absent fields get their default values. */
export type Sent<Name extends MessageName> = {
  readonly [Field in Exclude<keyof FieldsOf<Name>, RequiredOf<Name>>]?: SentField<Name, Field>;
} & {
  readonly [Field in Extract<keyof FieldsOf<Name>, RequiredOf<Name>>]: SentField<Name, Field>;
};
type SentField<Name extends MessageName, Field extends keyof FieldsOf<Name>> = ListIf<
  FieldsOf<Name>[Field],
  SentValue<FieldsOf<Name>[Field]>
>;
type SentValue<Described> = Described extends readonly [infer Type, ...unknown[]]
  ? Type extends keyof SentScalars
    ? SentScalars[Type]
    : Type extends MessageName
      ? Sent<Type>
      : EnumValue<Type>
  : never;

export type KeyValue = Received<"KeyValue">;
export type RangeRequest = Sent<"RangeRequest">;
export type RangeResponse = Received<"RangeResponse">;
export type RequestOp = Sent<"RequestOp">;
export type TxnRequest = Sent<"TxnRequest">;
export type TxnResponse = Received<"TxnResponse">;
export type WatchRequest = Sent<"WatchRequest">;
export type WatchEvent = Received<"Event">;
export type WatchResponse = Received<"WatchResponse">;

type Call<Name extends string> = `${Name}Request` extends infer Request extends MessageName
  ? `${Name}Response` extends infer Response extends MessageName
    ? [Sent<Request>, Received<Response>]
    : never
  : never;

/** The calls that the node makes, each with its request and response. */
export interface Methods {
  "KV/Range": Call<"Range">;
  "KV/Txn": Call<"Txn">;
  "KV/Compact": Call<"Compaction">;
  "Lease/LeaseGrant": Call<"LeaseGrant">;
  "Lease/LeaseRevoke": Call<"LeaseRevoke">;
  "Cluster/MemberList": Call<"MemberList">;
  "Maintenance/Alarm": Call<"Alarm">;
  "Maintenance/Status": Call<"Status">;
  "Maintenance/Defragment": Call<"Defragment">;
  "Auth/Authenticate": Call<"Authenticate">;
}
export type Method = keyof Methods;

export interface Streams {
  "Watch/Watch": Call<"Watch">;
  "Lease/LeaseKeepAlive": Call<"LeaseKeepAlive">;
}

const services = fromJSON(PROTOCOL as Parameters<typeof fromJSON>[0], {
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
  arrays: true,
});

/** The path and codecs of a call. */
export function definitionOf<Name extends Method | keyof Streams>(
  name: Name,
): MethodDefinition<(Methods & Streams)[Name][0], (Methods & Streams)[Name][1]> {
  const [service, method] = name.split("/") as [string, string];
  const found = (services[`etcdserverpb.${service}`] as Record<string, unknown>)[method];
  return found as MethodDefinition<(Methods & Streams)[Name][0], (Methods & Streams)[Name][1]>;
}

/** Throws if JavaScript cannot represent the number exactly. A store cannot reach such numbers in practice. */
export function numberOf(value: Int64): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`etcd tells a number that cannot be: ${value}`);
  return number;
}
