/** How calls to etcd fail, and what a failure says of a write: that it was certainly not done, or that nobody knows. */
import { status, type ServiceError } from "@grpc/grpc-js";

/** `code`: of gRPC. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly code: status;
  /** A write by this call was certainly not done, and will not be. */
  readonly isCertain: boolean;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
    this.isCertain = isCertain(code, message);
  }
}

export function failureOf(url: string, { code, details, message }: ServiceError): CallFailed {
  return new CallFailed(code, `${url}: ${details || message}`);
}

/** Was it refused before it was proposed to the members? Everything that is not listed may have been done. */
function isCertain(code: status, message: string): boolean {
  switch (code) {
    case status.INVALID_ARGUMENT:
    case status.FAILED_PRECONDITION:
    case status.PERMISSION_DENIED:
    case status.UNAUTHENTICATED:
    case status.UNIMPLEMENTED:
      return true;
    // 'database space exceeded' may be told after the write was done.
    case status.RESOURCE_EXHAUSTED:
      return message.includes("too many requests");
    case status.UNAVAILABLE:
      return message.includes("etcdserver: no leader") || message.includes("No connection established");
    default:
      return false;
  }
}

/** Whether any member would refuse the same call again. */
export function isFinal({ code }: CallFailed): boolean {
  return code === status.INVALID_ARGUMENT || code === status.PERMISSION_DENIED || code === status.UNIMPLEMENTED;
}

/** The login has expired, or members have restarted since. */
export function isLoginStale({ code, message }: CallFailed): boolean {
  return code === status.UNAUTHENTICATED || message.includes("revision of auth store is old");
}
