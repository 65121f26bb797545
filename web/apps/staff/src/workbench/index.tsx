import { Route, Switch } from "wouter";
import { ProjectsPage } from "./project/projectspage.js";
import { Room } from "./project/room.js";
import { Gallery } from "./together/gallery.js";
import "./words/speaking.js";
import "./workbench.css";
import "./project/projects.css";
import "./words/window.css";
import "./flow/flow.css";
import "./panel/panel.css";
import "./together/together.css";

/** The workbench: the projects of an author, and one of them opened. */
export default function Workbench() {
  return (
    <Switch>
      <Route path="/">
        <ProjectsPage />
      </Route>
      <Route path="/gallery">
        <Gallery />
      </Route>
      <Route path="/:id">{({ id }) => <Room key={id} id={decodeURIComponent(id)} />}</Route>
    </Switch>
  );
}
