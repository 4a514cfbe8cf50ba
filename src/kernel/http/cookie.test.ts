import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { readConfig } from "../config/config.ts";
import { cookieName, cookieValue, setCookie } from "./cookie.ts";

const http = readConfig({});
const https = readConfig({ BASE_URL: "https://id.example.com" });

describe("cookies", () => {
  it(
    conformance("SC-21", "cookie names begin with the name of the product, not with the name of a library"),
    () => {
      expect(cookieName(http, "session")).toBe("gatehouse_session");
      expect(setCookie(http, "session", "abc", 60)).toBe(
        "gatehouse_session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax",
      );
    },
  );

  it(
    conformance(
      "SC-17",
      "under https, cookies have the prefix __Host- and the attributes that this prefix requires",
    ),
    () => {
      expect(cookieName(https, "session")).toBe("__Host-gatehouse_session");
      expect(setCookie(https, "pending_sign_in", "abc", 60)).toBe(
        "__Host-gatehouse_pending_sign_in=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure",
      );
    },
  );

  it(
    conformance(
      "SC-17",
      "cookies without the prefix __Host- are ignored under https, so that a sibling host cannot set them",
    ),
    () => {
      expect(cookieValue(https, "gatehouse_session=planted", "session")).toBeNull();
      expect(
        cookieValue(https, "a=b; __Host-gatehouse_session=ours; gatehouse_session=planted", "session"),
      ).toBe("ours");
    },
  );

  it(
    conformance(
      "SC-21",
      "cookies of Gatehouse are recognized even if a client site on the same host also sets cookies",
    ),
    () => {
      const header = "next-auth.session-token=theirs; gatehouse_session=ours";
      expect(cookieValue(http, header, "session")).toBe("ours");
      expect(cookieValue(http, "next-auth.session-token=theirs", "session")).toBeNull();
    },
  );
});
