import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

/** The content of the "not found" page, inside the frame of the layout. */
export const NoSuchPage = () => (
  <>
    <PageHead title="Page not found" about="The page does not exist, or you do not have access to it." />
    <div>
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </div>
  </>
);
