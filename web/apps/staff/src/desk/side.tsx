import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Asked } from "../shell/asking.js";
import { Forms } from "./forms.js";
import { Notes } from "./notes.js";
import { PictureView } from "./picture.js";
import type { Item, Picture } from "./shapes.js";

/** What stands beside the talk: what is known, notes, forms. */
export function Side({
  id,
  item,
  picture,
  step,
  onShow,
}: {
  id: string;
  item: Item;
  picture: Asked<Picture>;
  step: string;
  onShow(message: number): void;
}) {
  const { t } = useTranslation("desk");
  return (
    <Tabs className="side">
      <TabList className="side-tabs" aria-label={t("talk.side")}>
        <Tab id="picture" className="filter">
          {t("picture.title")}
        </Tab>
        <Tab id="notes" className="filter">
          {t("notes.title")} {item.notes > 0 && <span className="count">{item.notes}</span>}
        </Tab>
        <Tab id="forms" className="filter">
          {t("forms.title")}
        </Tab>
      </TabList>
      <TabPanel id="picture" className="panel">
        <PictureView session={id} picture={picture} onShow={onShow} />
      </TabPanel>
      <TabPanel id="notes" className="panel">
        <Notes id={id} item={item} />
      </TabPanel>
      <TabPanel id="forms" className="panel">
        <Forms session={id} step={step} />
      </TabPanel>
    </Tabs>
  );
}
