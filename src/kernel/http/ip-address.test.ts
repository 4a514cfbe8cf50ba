import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { parseTrustedProxies } from "../config/trusted-proxies.ts";
import { resolveClientIp, sourceNetwork } from "./ip-address.ts";

const trusted = parseTrustedProxies("10.0.0.0/8, 192.0.2.7 fd00::/8");

describe("resolveClientIp", () => {
  it.each<[string, string | undefined, string | undefined, string]>([
    ["the peer without a header", "203.0.113.9", undefined, "203.0.113.9"],
    [
      "the peer when the peer is not trusted, regardless of the header",
      "203.0.113.9",
      "1.1.1.1",
      "203.0.113.9",
    ],
    ["the client behind one proxy", "10.1.2.3", "198.51.100.4", "198.51.100.4"],
    ["the client behind two proxies", "10.1.2.3", "198.51.100.4, 192.0.2.7", "198.51.100.4"],
    [
      "the IP address that the proxy added, not the IP address that the client sent",
      "10.1.2.3",
      "1.1.1.1, 198.51.100.4",
      "198.51.100.4",
    ],
    ["the last valid hop before an invalid hop", "10.1.2.3", "198.51.100.4, <script>, 10.9.9.9", "10.9.9.9"],
    ["the proxy itself when all hops are trusted", "10.1.2.3", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    ["the client behind an IPv4 proxy on an IPv6 socket", "::ffff:10.1.2.3", "198.51.100.4", "198.51.100.4"],
    [
      "the client behind hops with ports and brackets",
      "fd00::1",
      "[2001:db8::5]:4711, 10.0.0.1:80",
      "2001:db8::5",
    ],
    ["unknown on a local socket", undefined, "1.1.1.1", "unknown"],
  ])("resolveClientIp returns %s", (_what, remote, header, expected) => {
    expect(resolveClientIp(remote, header, trusted)).toBe(expected);
  });

  it("resolveClientIp returns the IP address of the peer when no proxy is configured", () => {
    expect(resolveClientIp("127.0.0.1", "1.1.1.1", parseTrustedProxies(""))).toBe("127.0.0.1");
  });
});

describe("parseTrustedProxies", () => {
  it.each(["10.0.0.0/33", "proxy.example", "10.0.0.0/8/8", "10.0.0.0/", "fd00::/129"])(
    "parseTrustedProxies refuses %s",
    (entry) => {
      expect(() => parseTrustedProxies(entry)).toThrow(`"${entry}"`);
    },
  );
});

describe("sourceNetwork", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["unknown", "unknown"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::4:5:6:7", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ])(conformance("SC-07", "sourceNetwork maps the IP address %s to the network %s"), (ipAddress, network) => {
    expect(sourceNetwork(ipAddress)).toBe(network);
  });
});
