import { isIP, isIPv4 } from "node:net";
import type { TrustedProxies } from "../config/trusted-proxies";

/**
 * The header in which the server passes the client's IP address to the endpoints. If a client sends this
 * header, the server overwrites the value of the header.
 */
export const CLIENT_IP_HEADER = "x-client-address";

/**
 * The maximum number of proxies between a client and the server. No correctly configured chain of proxies is
 * longer than this maximum.
 */
const HOPS_MAX = 32;

/** Returns whether an IP address is in one of the ranges; false for a text that is not an IP address. */
export function isInRanges(proxies: TrustedProxies, ipAddress: string): boolean {
  const version = isIP(ipAddress);
  return version !== 0 && proxies.check(ipAddress, version === 6 ? "ipv6" : "ipv4");
}

/**
 * Returns the IP address of the client, which is normally the peer of the connection. When the peer is a
 * trusted proxy, the client is the last IP address in `X-Forwarded-For` that does not belong to a trusted
 * proxy. The client may have forged all earlier IP addresses in the header.
 * @param remoteAddress the IP address of the peer, from the socket.
 * @param forwardedFor the `X-Forwarded-For` header, if present.
 */
export function resolveClientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  let nearest = plainAddress(remoteAddress ?? "") ?? "unknown";
  if (forwardedFor === undefined || !isInRanges(trusted, nearest)) return nearest;
  const hops = forwardedFor.split(",").slice(-HOPS_MAX).reverse();
  for (const hop of hops) {
    const ipAddress = plainAddress(hop.trim());
    if (ipAddress === null) return nearest;
    nearest = ipAddress;
    if (!isInRanges(trusted, ipAddress)) return ipAddress;
  }
  return nearest;
}

/**
 * Returns the IP address in a text, without the port, the brackets and the zone; null when the text is not an
 * IP address. An IPv4-mapped IPv6 address is returned as an IPv4 address.
 */
function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const withoutPort = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const ipAddress = withoutPort.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(ipAddress) === 0 ? null : ipAddress;
}

/** Returns the IP address that the server determined for this request. */
export const clientIpOf = (request: Request): string => request.headers.get(CLIENT_IP_HEADER) ?? "unknown";

/**
 * Returns the network for which the server counts failed attempts from an IP address. A host usually has a
 * whole IPv6 /64 network (RFC 6177), so all IP addresses of that network count as one IP address.
 * @returns an IPv4 address or any other text unchanged; an IPv6 address as its /64 prefix.
 */
export function sourceNetwork(ipAddress: string): string {
  return isIP(ipAddress) === 6 ? ipv6Prefix(ipAddress, 4) : ipAddress;
}

/**
 * Returns the network of a site: the /24 network of an IPv4 address, the /48 network of an IPv6 address (RFC 6177 §2),
 * or any other text unchanged.
 */
export function siteNetwork(ipAddress: string): string {
  if (isIP(ipAddress) === 6) return ipv6Prefix(ipAddress, 3);
  return isIPv4(ipAddress) ? `${ipAddress.split(".").slice(0, 3).join(".")}.0/24` : ipAddress;
}

/** Returns the network whose prefix is the first `groupCount` groups of 16 bits of an IPv6 address. */
function ipv6Prefix(ipAddress: string, groupCount: number): string {
  const [head = "", tail] = ipAddress
    .toLowerCase()
    .replace(/[\d.]+\.[\d.]+$/, "0:0")
    .split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail ?? "")];
  const prefix = all.slice(0, groupCount).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${prefix.join(":")}::/${groupCount * 16}`;
}
