import { cookies } from "next/headers";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieName } from "@/kernel/http/cookie";
import { type Theme, themeAttribute } from "@/kernel/http/theme";

/**
 * Returns the theme that was chosen in this browser, for the attribute `data-theme`; undefined for the theme
 * of the system.
 */
export const chosenTheme = async (): Promise<Theme | undefined> =>
  themeAttribute((await cookies()).get(cookieName(systemDeps().config, "theme"))?.value);
