import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

/** Stands in the frame of a page that is not there. */
export const NoSuchPage = () => (
  <>
    <PageHead title="Page not found" about="The page does not exist, or you do not have access to it." />
    <div>
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </div>
  </>
);
