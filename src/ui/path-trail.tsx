"use client";

import { usePathname } from "next/navigation";
import { Trail, type TrailStep } from "./trail";

/**
 * The breadcrumb of the pages below a URL path. The common layout of these pages renders the breadcrumb.
 * @param props.steps the first steps of the breadcrumb, such as the group and the project of the pages.
 * @param props.pages the labels of the pages, keyed by the part of the page's path after the common URL path.
 * The segment `:id` of a key matches any path segment.
 */
export function PathTrail(props: {
  readonly home: string;
  readonly steps: readonly TrailStep[];
  readonly pages: Readonly<Record<string, string>>;
}) {
  const { home, steps, pages } = props;
  const path = usePathname();
  const segments = path.startsWith(`${home}/`) ? path.slice(home.length + 1).split("/") : [];
  const above = stepsAbove(segments, pages).map(({ label, below }) => ({ label, href: home + below }));
  const all = [...steps, ...above];
  return all.length === 0 ? null : <Trail steps={all} />;
}

/**
 * Returns the ancestor pages of the page with these path segments. The result contains only pages that have a
 * label.
 */
export const stepsAbove = (
  segments: readonly string[],
  pages: Readonly<Record<string, string>>,
): readonly Readonly<{ label: string; below: string }>[] =>
  segments.slice(0, -1).flatMap((_, depth) => {
    const here = segments.slice(0, depth + 1);
    const match = Object.entries(pages).find(([pattern]) => {
      const parts = pattern.slice(1).split("/");
      return parts.length === here.length && parts.every((part, at) => part === ":id" || part === here[at]);
    });
    return match === undefined ? [] : [{ label: match[1], below: `/${here.join("/")}` }];
  });
