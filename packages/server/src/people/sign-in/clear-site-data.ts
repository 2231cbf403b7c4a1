/**
 * What a browser drops at a sign-out besides the session: its cache of the page's origin, so that whoever uses it next
 * finds nothing by going back. Not "cookies": those of every port and of every name below the host's domain would go, so
 * other programs' and the mark of a familiar browser, too. Not "storage": the account pages share theirs with the terminal,
 * which keeps keys and its layout there; the console's holds likings and the same mark, and its token leaves with the tab's
 * own act. Clear-Site-Data (W3C), heeded over TLS and on loopback.
 */
export const CLEARED_AT_SIGN_OUT = { "Clear-Site-Data": '"cache"' } as const;
