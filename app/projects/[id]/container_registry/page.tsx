import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ImageList, PushLines } from "@/registries/container-registry/components/image-list";
import { loadImages } from "@/registries/container-registry/loaders";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Container images" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function ContainerRegistryPage({ params, searchParams }: Props) {
  const images = await loadImages((await params).id, await searchParams);
  return (
    <>
      <PageHead title="Container images" about="Images in the container registry of this project." />
      <ImageList {...images} />
      <Pager {...images.pager} />
      {images.mayPush ? <PushLines host={images.host} path={images.path} /> : null}
    </>
  );
});
