import type { Metadata } from "next";
import { switchFlag } from "@/operations/flags/actions";
import { FlagList } from "@/operations/flags/components/flag-list";
import { loadFlags } from "@/operations/flags/loaders";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Feature flags" };

export default async function FeatureFlagsPage() {
  const { flags, now } = await loadFlags();
  return (
    <StaticMarkup>
      <PageHead
        title="Feature flags"
        about="Turn features on or off. A change applies to all users from their next request."
      />
      <FlagList flags={flags} action={switchFlag} now={now} />
    </StaticMarkup>
  );
}
