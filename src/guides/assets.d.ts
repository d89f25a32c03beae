// A Markdown file imported with `type: "text"` is its text, a picture imported with `type: "file"` its
// path: on disk, or inside the compiled binary.

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.webp" {
  const path: string;
  export default path;
}
