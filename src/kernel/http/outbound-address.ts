import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { semaphore } from "../process/semaphore.ts";
import { OutboundRequestError } from "./outbound-error.ts";

/** Returns all IP addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The IP addresses that an outbound request may connect to, in addition to public IP addresses. */
export type AllowedAddresses = Readonly<{
  /** Allows `127.0.0.0/8` and `::1`. */
  loopback?: boolean;
  /** Allows the ranges that an operator has listed. */
  ranges?: BlockList | null;
}>;

/** The special-purpose IPv4 ranges that are not globally reachable (IANA registry of RFC 6890), and multicast. */
const SPECIAL_IPV4 = rangesOf("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

/**
 * The range of global unicast addresses (RFC 4291 §2.4). The range does not include IPv4-mapped, NAT64,
 * unique local, link-local and multicast IP addresses.
 */
const GLOBAL_IPV6 = rangesOf("ipv6", ["2000::/3"]);

/**
 * The special-purpose ranges of global unicast: protocol assignments including Teredo, documentation, and
 * 6to4.
 */
const SPECIAL_IPV6 = rangesOf("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

const LOOPBACK_IPV4 = rangesOf("ipv4", ["127.0.0.0/8"]);

function rangesOf(version: "ipv4" | "ipv6", ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), version);
  }
  return list;
}

/**
 * Returns whether an IP address is a loopback address: `127.0.0.0/8` or `::1`. The result is false for an
 * IPv4-mapped IPv6 address.
 */
export function isLoopbackAddress(ipAddress: string): boolean {
  return isIP(ipAddress) === 4 ? LOOPBACK_IPV4.check(ipAddress, "ipv4") : ipAddress === "::1";
}

/**
 * Returns whether a request may connect to an IP address: a globally reachable unicast address, or an IP
 * address that the caller allows. The result is false for text that is not an IP address.
 */
export function isAllowedAddress(ipAddress: string, { loopback = false, ranges }: AllowedAddresses): boolean {
  const version = isIP(ipAddress);
  if (version === 0) return false;
  if (loopback && isLoopbackAddress(ipAddress)) return true;
  if (ranges?.check(ipAddress, version === 4 ? "ipv4" : "ipv6") === true) return true;
  return version === 4
    ? !SPECIAL_IPV4.check(ipAddress, "ipv4")
    : GLOBAL_IPV6.check(ipAddress, "ipv6") && !SPECIAL_IPV6.check(ipAddress, "ipv6");
}

/**
 * Limits the number of simultaneous lookups of host names. `getaddrinfo` runs in the four threads that also
 * hash passwords and read files. A hostile name server can block a thread for many seconds.
 */
const enterLookup = semaphore("outbound-lookup", { atOnce: 2, waitingMax: 50 });

/** Returns the IP addresses of a host name from the resolver of the operating system, which also reads `/etc/hosts`. */
export const resolveHost: ResolveHost = async (hostname) => {
  const release = await enterLookup();
  if (release === null) throw new Error("Too many lookups of host names are waiting.");
  try {
    return await systemLookup(hostname, { all: true });
  } finally {
    release();
  }
};

/**
 * Returns the IP addresses of the host of a URL. The request must connect to one of the returned IP
 * addresses, without another lookup: a second lookup could return another IP address (DNS rebinding).
 * @throws OutboundRequestError if the host has no IP address, or if the request may not connect to one of its
 * IP addresses.
 */
export async function allowedAddressesOf(
  url: URL,
  allowed: AllowedAddresses,
  resolve: ResolveHost,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const literal = isIP(host);
  const addresses = literal === 0 ? await resolve(host) : [{ address: host, family: literal }];
  if (addresses.length === 0) throw new OutboundRequestError("unreachable", "The host has no IP address.");
  if (!addresses.every((resolved) => isAllowedAddress(resolved.address, allowed)))
    throw new OutboundRequestError("forbidden_address", "The host has an IP address that is not public.");
  return addresses;
}
