export { getAsset as GET } from "@/ui/page-script";
