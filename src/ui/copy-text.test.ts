import { afterEach, describe, expect, it, vi } from "vitest";
import { copyText } from "./copy-text.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a copy button", () => {
  it("a copy button copies its text to the clipboard, and does not change the selection", async () => {
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    const select = vi.fn();
    expect(await copyText("the text", select)).toBe(true);
    expect(writeText).toHaveBeenCalledWith("the text");
    expect(select).not.toHaveBeenCalled();
  });

  it.each([
    ["has no clipboard", undefined],
    ["refuses to write to the clipboard", { writeText: () => Promise.reject(new Error("NotAllowedError")) }],
  ])("a copy button selects its text in a browser that %s", async (_, clipboard) => {
    vi.stubGlobal("navigator", { clipboard });
    const select = vi.fn();
    expect(await copyText("the text", select)).toBe(false);
    expect(select).toHaveBeenCalledOnce();
  });
});
