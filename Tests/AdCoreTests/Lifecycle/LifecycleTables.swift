/// Banner, HTML interstitial, card and engagement: one table.
let tableWithoutVideo = """
                           idle loading loaded presenting unseen seen closable clicked opening closedClicked closed destroyed failed expired
    load                   >lo  !    !    !    !    !    !    !    !    !    !    !    !    !
    show                   !    !    >pr  !    !    !    !    !    !    !    !    !    !    !
    cancel the load        .    >fa  .    .    .    .    .    .    .    .    .    .    .    .
    cancel the show        .    .    .    >fa  .    .    .    .    .    .    .    .    .    .
    cancel something else  .    .    .    .    .    .    .    .    .    .    .    .    .    .
    close                  .    .    .    >fa  >cl  >cl  >cl  >cl  >cl  .    .    .    .    .
    destroy                >cl  >cl  >cl  >cl  >cl  >cl  >cl  >cl  >cl  +    +    .    >cl  >cl
    offer arrived          .    >lo  .    .    .    .    .    .    .    .    .    .    .    .
    load failed            .    >fa  .    .    .    .    .    .    .    .    .    .    .    .
    present failed         .    .    .    >fa  .    .    .    .    .    .    .    .    .    .
    ready                  .    .    .    +    .    .    .    .    .    .    .    .    .    .
    revealed               .    .    .    >sh  .    .    .    .    .    .    .    .    .    .
    visible                .    .    .    +    +    +    +    +    +    .    .    .    .    .
    out of sight           .    .    .    +    +    +    +    +    +    .    .    .    .    .
    click by the user      .    .    .    +    +    +    +    +    +    .    .    .    .    .
    click by itself        .    .    .    +    +    +    +    +    +    .    .    .    .    .
    click without a link   .    .    .    +    +    +    +    .    .    .    .    .    .    .
    blocked                .    .    .    +    +    +    +    +    +    .    .    .    .    .
    close by the user      .    .    .    .    .    .    >cl  .    .    .    .    .    .    .
    close by the creative  .    .    .    >fa  >cl  >cl  >cl  >cl  >cl  .    .    .    .    .
    skip                   .    .    .    .    .    .    .    .    .    .    .    .    .    .
    crashed                .    .    .    >fa  +    +    +    +    +    .    .    .    .    .
    gone                   .    .    .    >fa  >cl  >cl  >cl  >cl  >cl  .    .    .    .    .
    covered                .    .    .    +    +    +    +    +    +    .    .    .    .    .
    uncovered              .    .    .    +    +    +    +    +    +    .    .    .    .    .
    background             .    .    .    +    +    +    +    +    +    .    .    .    .    .
    foreground             .    .    .    +    +    +    +    +    +    .    .    .    .    .
    network                .    .    .    .    .    .    .    .    .    .    .    .    .    .
    click recorded         .    .    .    .    .    .    .    +    .    +    .    .    .    .
    view recorded          .    .    .    .    .    +    +    +    +    +    +    .    .    .
    told                   .    .    .    .    .    .    .    .    .    .    .    .    .    .
    link opened            .    .    .    .    .    .    .    .    +    .    .    .    .    .
    timer loading          .    >fa  .    .    .    .    .    .    .    .    .    .    .    .
    timer expiry           .    .    >ex  .    .    .    .    .    .    .    .    .    .    .
    timer presenting       .    .    .    >fa  .    .    .    .    .    .    .    .    .    .
    timer close            .    .    .    .    .    +    .    +    +    .    .    .    .    .
    timer watchdog         .    .    .    .    +    +    .    +    +    .    .    .    .    .
    timer view             .    .    .    .    .    .    .    .    .    .    .    .    .    .
    timer viewable         .    .    .    .    .    .    .    .    .    .    .    .    .    .
    timer record           .    .    .    .    .    .    .    +    .    +    .    .    .    .
    timer settling         .    .    .    .    .    .    .    .    .    +    +    .    .    .
    video loaded           .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video started          .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video progressed       .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video sought           .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video muted            .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video paused           .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video resumed          .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video enlarged         .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video interaction      .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video completed        .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video failed           .    .    .    .    .    .    .    .    .    .    .    .    .    .
    video of another spot  .    .    .    .    .    .    .    .    .    .    .    .    .    .
    part shown             .    .    .    .    .    .    .    .    .    .    .    .    .    .
    part failed            .    .    .    .    .    .    .    .    .    .    .    .    .    .
    part clicked           .    .    .    +    .    .    .    .    .    .    .    .    .    .
    part clicked itself    .    .    .    +    .    .    .    .    .    .    .    .    .    .
    unknown part clicked   .    .    .    +    .    .    .    .    .    .    .    .    .    .
    """

/// A video with a skip offset and a close time-out, without an end card.
let tableOfVideo = """
                           presenting seen playing paused skippable over closed
    load                   !    !    !    !    !    !    !
    show                   !    !    !    !    !    !    !
    cancel the load        .    .    .    .    .    .    .
    cancel the show        >fa  .    .    .    .    .    .
    cancel something else  .    .    .    .    .    .    .
    close                  >fa  >cl  >cl  >cl  >cl  >cl  .
    destroy                >cl  >cl  >cl  >cl  >cl  >cl  +
    offer arrived          .    .    .    .    .    .    .
    load failed            .    .    .    .    .    .    .
    present failed         >fa  .    .    .    .    .    .
    ready                  +    .    .    .    .    .    .
    revealed               >sh  .    .    .    .    .    .
    visible                +    +    +    +    +    +    .
    out of sight           +    +    +    +    +    +    .
    click by the user      +    +    +    +    +    +    .
    click by itself        +    +    +    +    +    +    .
    click without a link   +    +    +    +    +    +    .
    blocked                +    +    +    +    +    +    .
    close by the user      .    .    .    .    .    >cl  .
    close by the creative  >fa  >cl  >cl  >cl  >cl  >cl  .
    skip                   .    .    .    .    >cl  .    .
    crashed                >fa  +    +    +    +    +    .
    gone                   >fa  >cl  >cl  >cl  >cl  >cl  .
    covered                +    +    +    +    +    +    .
    uncovered              +    +    +    +    +    +    .
    background             +    +    +    +    +    +    .
    foreground             +    +    +    +    +    +    .
    network                .    .    .    .    .    .    .
    click recorded         .    .    .    .    .    .    .
    view recorded          .    .    +    +    +    +    .
    told                   .    .    +    +    +    +    +
    link opened            .    .    .    .    .    .    .
    timer loading          .    .    .    .    .    .    .
    timer expiry           .    .    .    .    .    .    .
    timer presenting       >fa  .    .    .    .    .    .
    timer close            .    +    +    +    +    .    .
    timer watchdog         .    +    +    +    +    .    .
    timer view             .    .    .    .    .    .    .
    timer viewable         .    .    +    .    +    .    .
    timer record           .    .    .    .    .    .    .
    timer settling         .    .    .    .    .    .    +
    video loaded           +    +    +    +    +    .    .
    video started          .    +    +    +    +    .    .
    video progressed       .    +    +    +    +    .    .
    video sought           .    .    +    +    +    .    .
    video muted            +    +    +    +    +    .    .
    video paused           .    .    +    .    +    .    .
    video resumed          .    .    .    +    .    .    .
    video enlarged         .    .    +    +    +    .    .
    video interaction      .    .    +    +    +    .    .
    video completed        .    .    +    +    +    .    .
    video failed           >fa  +    +    +    +    .    .
    video of another spot  .    .    .    .    .    .    .
    part shown             .    +    +    +    +    +    .
    part failed            +    +    +    +    +    +    .
    part clicked           +    +    +    +    +    +    .
    part clicked itself    +    +    +    +    +    +    .
    unknown part clicked   +    .    .    .    .    .    .
    """

/// A rewarded video with an end card; its skip offset is no way out.
let tableOfRewarded = """
                           presenting seen playing paused skippable over closed
    load                   !    !    !    !    !    !    !
    show                   !    !    !    !    !    !    !
    cancel the load        .    .    .    .    .    .    .
    cancel the show        >fa  .    .    .    .    .    .
    cancel something else  .    .    .    .    .    .    .
    close                  >fa  >cl  >cl  >cl  >cl  >cl  .
    destroy                >cl  >cl  >cl  >cl  >cl  >cl  +
    offer arrived          .    .    .    .    .    .    .
    load failed            .    .    .    .    .    .    .
    present failed         >fa  .    .    .    .    .    .
    ready                  +    .    .    .    .    .    .
    revealed               >sh  .    .    .    .    .    .
    visible                +    +    +    +    +    +    .
    out of sight           +    +    +    +    +    +    .
    click by the user      +    +    +    +    +    +    .
    click by itself        +    +    +    +    +    +    .
    click without a link   +    +    +    +    +    +    .
    blocked                +    +    +    +    +    +    .
    close by the user      .    .    .    .    .    >cl  .
    close by the creative  >fa  .    .    .    .    >cl  .
    skip                   .    .    .    .    .    .    .
    crashed                >fa  +    +    +    +    +    .
    gone                   >fa  >cl  >cl  >cl  >cl  >cl  .
    covered                +    +    +    +    +    +    .
    uncovered              +    +    +    +    +    +    .
    background             +    +    +    +    +    +    .
    foreground             +    +    +    +    +    +    .
    network                .    .    .    .    .    .    .
    click recorded         .    .    .    .    .    .    .
    view recorded          .    .    +    +    +    +    .
    told                   .    .    +    +    +    +    +
    link opened            .    .    .    .    .    .    .
    timer loading          .    .    .    .    .    .    .
    timer expiry           .    .    .    .    .    .    .
    timer presenting       >fa  .    .    .    .    .    .
    timer close            .    .    .    .    .    .    .
    timer watchdog         .    +    +    +    +    .    .
    timer view             .    .    .    .    .    .    .
    timer viewable         .    .    +    .    +    .    .
    timer record           .    .    .    .    .    .    .
    timer settling         .    .    .    .    .    .    +
    video loaded           +    +    +    +    +    .    .
    video started          .    +    +    +    +    .    .
    video progressed       .    +    +    +    +    .    .
    video sought           .    .    +    +    +    .    .
    video muted            +    +    +    +    +    .    .
    video paused           .    .    +    .    +    .    .
    video resumed          .    .    .    +    .    .    .
    video enlarged         .    .    +    +    +    .    .
    video interaction      .    .    +    +    +    .    .
    video completed        .    .    +    +    +    .    .
    video failed           >fa  +    +    +    +    .    .
    video of another spot  .    .    .    .    .    .    .
    part shown             .    +    +    +    +    +    .
    part failed            +    +    +    +    +    +    .
    part clicked           +    +    +    +    +    +    .
    part clicked itself    +    +    +    +    +    +    .
    unknown part clicked   +    .    .    .    .    .    .
    """
