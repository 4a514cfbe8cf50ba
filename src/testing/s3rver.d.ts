declare module "s3rver" {
  const S3rver: new (
    options: object,
  ) => Readonly<{ run: () => Promise<Readonly<{ port: number }>>; close: () => Promise<void> }>;
  export default S3rver;
}
