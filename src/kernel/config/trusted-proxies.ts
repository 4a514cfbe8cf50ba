import { BlockList, isIP } from "node:net";

/** The proxies whose `X-Forwarded-For` header is trusted. */
export type TrustedProxies = BlockList;

/**
 * Parses `TRUSTED_PROXIES`: IP addresses and CIDR ranges, separated by commas or spaces.
 * @throws an Error that names the first invalid entry.
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  const ranges = new BlockList();
  for (const entry of text.split(/[\s,]+/).filter((word) => word !== "")) addRange(ranges, entry);
  return ranges;
}

function addRange(ranges: BlockList, entry: string): void {
  const [ipAddress = "", prefix, ...rest] = entry.split("/");
  const version = isIP(ipAddress);
  const bitsMax = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? bitsMax : Number(prefix);
  const usable = version !== 0 && rest.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix));
  if (!usable || bits > bitsMax)
    throw new Error(`"${entry}" is neither an IP address nor a range such as 10.0.0.0/8`);
  ranges.addSubnet(ipAddress, bits, version === 6 ? "ipv6" : "ipv4");
}
