import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** Bytes of one file: more is no script. */
const LARGEST = 4_000_000;
const TEXT = /\.(ya?ml|md|txt|json)$/i;

/** A project as one archive, for whoever keeps files. */
export async function exported(name: string, texts: Record<string, string>): Promise<void> {
  const bytes = zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)])));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart], { type: "application/zip" }));
  link.download = `${name.replace(/[\\/:*?"<>|\s]+/g, "-")}.zip`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What was chosen, an archive or files, as the texts of a project. A folder around all of them is left out. */
export async function imported(files: readonly File[]): Promise<{ name: string; texts: Record<string, string> }> {
  const [first] = files;
  const found: { path: string; text: string }[] = [];
  for (const file of files) {
    if (!/\.zip$/i.test(file.name)) found.push({ path: file.name, text: await file.text() });
    else {
      const all = unzipSync(new Uint8Array(await file.arrayBuffer()), {
        filter: ({ name, originalSize }) => TEXT.test(name) && originalSize <= LARGEST,
      });
      for (const [path, bytes] of Object.entries(all)) found.push({ path, text: strFromU8(bytes) });
    }
  }
  const own = found.filter(
    ({ path }) => TEXT.test(path) && !path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX"),
  );
  const folder = common(own.map(({ path }) => path));
  const texts = Object.fromEntries(own.map(({ path, text }) => [path.slice(folder.length), text]));
  return { name: (first?.name ?? "").replace(/\.\w+$/, "") || "project", texts };
}

function common(paths: readonly string[]): string {
  const [first = ""] = paths;
  const folder = first.slice(0, first.indexOf("/") + 1);
  return folder && paths.every((path) => path.startsWith(folder)) ? folder : "";
}
